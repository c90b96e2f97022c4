/** Where a source has an object in the place of a field: the names of the member that is its value, by the role of the field, best first. */
import type { Field, FieldRole } from '../../model.js';
import { words } from '../../text.js';

/** Members that hold the value of a text wherever a source has an object for one. */
const TEXT_MEMBERS = 'name title rendered display_name full_name text value label term #text $t _ __cdata';

const MEMBERS: Readonly<Record<FieldRole, readonly string[]>> = {
  id: words('$numberLong $numberInt #text $t _'),
  title: words(`rendered main ${TEXT_MEMBERS}`),
  author: words(`name display_name full_name username login original ${TEXT_MEMBERS}`),
  link: words('url href @id src link value #text $t _'),
  score: words('score value count total likes $numberInt $numberLong $numberDouble'),
  comments: words('count total total_count value $numberInt $numberLong'),
  date: words('$date iso value date date_time time #text $t _ $numberLong'),
  body: words(`rendered ${TEXT_MEMBERS}`),
  tags: words(`name web_title title label term value tag ${TEXT_MEMBERS}`),
  price: words('current sale value amount price raw now regular $numberDecimal $numberDouble $numberInt #text $t _'),
  image: words(
    'url src href link thumbnail large medium small small_thumbnail original full content_url image_url source_url value #text $t _',
  ),
  rating: words(
    'rate value average rating_value rating score stars $numberDouble $numberDecimal $numberInt #text $t _',
  ),
  category: words(`name title category_name label ${TEXT_MEMBERS}`),
};

export const valueMembersOf = ({ role }: Field): readonly string[] | undefined =>
  role === undefined ? undefined : MEMBERS[role];

/** The name of an amount, and that of the number of its digits that are minor units, as shops and their APIs call them. */
export const MINOR_AMOUNTS = [
  'amount scale',
  'amount precision',
  'centAmount fractionDigits',
  'price currency_minor_unit',
].map(words);
