#!/bin/sh
# A nightly job, for any CI: scrapes, refuses a bad scrape, prints what changed, and keeps the new dump for the next night.
#   SCRAPE='scrapy runspider shop.py -O -:jsonlines' sh nightly.sh
set -eu
: "${SCRAPE:?the command that prints the records, one a line}"
api=${API:-npx --no scraper-data-api}

sh -c "$SCRAPE" > scraped.jsonl

# What a dump must hold, and what it may have lost since the night before. Where a gate does not hold, `check` exits with 1: the
# job ends here, and the dump of the night before stays.
set -- --as products --min-records "${MIN_RECORDS:-1}" --min-filled price=95% --max-refused 1%
if [ -f dumps/products.jsonl ]; then set -- "$@" --previous dumps/products.jsonl --max-lost 20%; fi
$api check scraped.jsonl "$@"

mkdir -p dumps
if [ -f dumps/products.jsonl ]; then
  # 0: nothing changed, 1: something did, 2: one of the dumps cannot be read.
  status=0
  $api diff dumps/products.jsonl scraped.jsonl --as products || status=$?
  [ "$status" -lt 2 ] || exit "$status"
fi
mv scraped.jsonl dumps/products.jsonl
