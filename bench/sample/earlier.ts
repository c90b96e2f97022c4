/**
 * The sample as it was half a year earlier, so that there is something to compare it with: other prices, ratings, scores and
 * texts, records that have gone since, and none of those that are new.
 */

import { createRandom, type RandomChoices } from '../../test/support/random.js';
import type { ArticleRecord } from './article-records.js';
import type { ProductRecord } from './product-records.js';

const SEED = 20_260_505;
const HALF_YEAR_MS = 182 * 86_400_000;

export function earlierProducts(products: readonly ProductRecord[]): ProductRecord[] {
  const random = createRandom(SEED);
  return products.flatMap((product) => {
    if (random.chance(0.03)) return [];
    const earlier = earlierProduct(product, random);
    return random.chance(0.02) ? [earlier, goneEdition(product, random)] : [earlier];
  });
}

function earlierProduct(product: ProductRecord, random: RandomChoices): ProductRecord {
  const { price, rating, title, author } = product;
  return {
    ...product,
    ...(price !== undefined && random.chance(0.3) && { price: earlierPrice(price, random) }),
    ...(rating !== undefined && random.chance(0.1) && { rating: earlierRating(rating, random) }),
    ...(random.chance(0.02) && { title: title.toUpperCase() }),
    ...(author !== undefined && random.chance(0.01) && { author: `${author} et al.` }),
  };
}

/** Most books have become cheaper, by a fifth or so; some dearer. */
function earlierPrice(price: number, random: RandomChoices): number {
  const share = random.chance(0.7) ? random.normal(0.22, 0.1) : random.normal(-0.12, 0.06);
  const earlier = price / (1 - Math.min(0.6, Math.max(-0.5, share)));
  return Math.round(earlier * 100) / 100;
}

const earlierRating = (rating: number, random: RandomChoices): number =>
  Math.round(10 * Math.min(5, Math.max(1, rating + random.normal(0, 0.25)))) / 10;

/** Ids grow by up to nine, so there is none between these and those that follow. */
function goneEdition(product: ProductRecord, random: RandomChoices): ProductRecord {
  const id = 900_000 + product.id;
  const edition = random.pick(['Large Print', 'Library Edition', 'First Edition']);
  return { ...product, id, title: `${product.title} (${edition})` };
}

export function earlierArticles(articles: readonly ArticleRecord[]): ArticleRecord[] {
  const random = createRandom(SEED);
  const newest = Math.max(...articles.map(({ date }) => Date.parse(date)));
  return articles.flatMap((article) => {
    if (Date.parse(article.date) > newest - HALF_YEAR_MS) return [];
    const earlier = earlierArticle(article, random);
    return random.chance(0.02)
      ? [earlier, { ...earlier, id: earlier.id + 1, title: `${earlier.title} (draft)` }]
      : [earlier];
  });
}

function earlierArticle(article: ArticleRecord, random: RandomChoices): ArticleRecord {
  const { score, comments, content, tags } = article;
  const share = Math.max(0.2, 1 - Math.abs(random.normal(0, 0.25)));
  const hasGrown = random.chance(0.4);
  const paragraphs = content.split('\n\n');
  const isShorter = paragraphs.length > 2 && random.chance(0.05);
  return {
    ...article,
    ...(hasGrown && { score: Math.ceil(score * share), comments: Math.floor(comments * share) }),
    ...(isShorter && { content: paragraphs.slice(0, -1).join('\n\n') }),
    ...(tags !== undefined && tags.length > 1 && random.chance(0.05) && { tags: tags.slice(0, -1) }),
  };
}
