#!/bin/sh
# Any view of the API as a table of SQLite: here the products of four stars and more.
#   API=http://127.0.0.1:3000 sh sqlite.sh
set -eu
curl -fsS "$API/api/export/products?format=csv&minRating=4" -o products.csv
sqlite3 products.db <<'SQL'
drop table if exists products;
.import --csv products.csv products
select category, count(*), round(avg(price), 2) from products group by category order by count(*) desc, category limit 3;
SQL
