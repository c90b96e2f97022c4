/**
 * The languages whose words are known: stop words for each, by which the language of a collection is decided, and which a
 * search leaves out beside other words. A stop word says nothing about what a text is about: an article, a pronoun, an
 * auxiliary verb, a preposition, a conjunction.
 */
import type { Language } from './package.js';
import { fold } from './text.js';

export type { Language } from './package.js';

const STOP_WORD_LISTS: Readonly<Record<Language, string>> = {
  english:
    'i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself ' +
    'it its itself they them their theirs themselves what which who whom this that these those am is are was were be ' +
    'been being have has had having do does did doing would should could ought a an the and but if or because as ' +
    'until while of at by for with about against between into through during before after above below to from up down ' +
    'in out on off over under again further then once here there when where why how all any both each few more most ' +
    'other some such no nor not only own same so than too very s t can will just don dont shouldnt now',
  german:
    'der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner ich mich mir du dich dir ' +
    'er ihn ihm sie ihr ihnen es wir uns euch sich mein meine meinen meinem meiner dein deine sein seine seinen seinem ' +
    'seiner ihre ihren ihrem ihrer unser unsere unseren unserem unserer euer eure dieser diese dieses diesen diesem jener ' +
    'jene jenes jeder jede jedes welcher welche welches wer wen wem was man und oder aber denn sondern weil dass ob wenn ' +
    'als wie wo wann warum auch noch nur schon sehr so nicht nichts ist sind war waren wird werden wurde wurden sei bin ' +
    'bist hat habe haben hatte hatten kann können konnte muss müssen soll sollen will wollen an am auf aus bei beim bis ' +
    'durch für gegen im in ins mit nach ohne seit über um unter vom von vor während zu zum zur zwischen da dann hier ' +
    'dort alle allem allen aller alles damit dazu doch etwas mehr',
  french:
    'le la les l un une des du de d au aux je j me m moi tu te t toi il elle on nous vous ils elles se s soi lui leur ' +
    'leurs y en ce c cet cette ces ça ceci cela mon ma mes ton ta tes son sa ses notre nos votre vos qui que qu quoi ' +
    'dont où quel quelle quels quelles et ou mais donc or ni car si comme quand lorsque puisque parce ne n pas plus ' +
    'moins très aussi à dans par pour sur sous avec sans vers chez entre depuis pendant contre après avant suis es est ' +
    'sommes êtes sont était étaient été être sera seront ai as a avons avez ont avait avaient avoir aura fait peut ' +
    'tout tous toute toutes même mêmes leur alors ainsi encore',
  spanish:
    'el la los las lo un una unos unas al del de yo me mí tú te ti él ella ello nosotros nosotras vosotros ellos ellas ' +
    'usted ustedes se sí le les nos os mi mis tu tus su sus nuestro nuestra nuestros nuestras este esta esto estos estas ' +
    'ese esa eso esos esas aquel aquella aquello aquellos aquellas que qué quien quién quienes cual cuál cuyo cuando ' +
    'cuándo como cómo donde dónde y e o u pero sino porque si no ni muy más menos también ya aún a ante bajo con contra ' +
    'desde durante en entre hacia hasta para por según sin sobre tras es son soy era eran fue fueron ser sido está están ' +
    'estaba estaban estar he ha han había habían haber hay todo toda todos todas otro otra otros otras mismo misma',
  italian:
    'il lo la i gli le l un uno una di del dello della dei degli delle dell a al allo alla ai agli alle all da dal dallo ' +
    'dalla dai dagli dalle dall in nel nello nella nei negli nelle nell con col su sul sullo sulla sui sugli sulle sull ' +
    'per tra fra io mi me tu ti te lui lei egli ella esso essa noi ci voi vi essi esse loro si sé ne mio mia miei mie ' +
    'tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro vostra questo questa questi queste quello ' +
    'quella quelli quelle che chi cui quale quali quanto e ed o od ma se perché come quando dove non né più molto anche ' +
    'già è sono sei siamo siete era erano fu furono essere stato stata ho ha hai abbiamo hanno aveva avevano avere c d ' +
    'tutto tutta tutti tutte altro altra altri altre stesso stessa',
  portuguese:
    'o a os as um uma uns umas de do da dos das dum duma em no na nos nas num numa por pelo pela pelos pelas ao à aos às ' +
    'com sem sob sobre para até desde entre contra eu me mim tu te ti ele ela nós vós eles elas você vocês se si lhe ' +
    'lhes vos meu minha meus minhas teu tua seu sua seus suas nosso nossa nossos nossas este esta isto estes estas esse ' +
    'essa isso esses essas aquele aquela aquilo aqueles aquelas que quem qual quais cujo quando como onde e ou mas porque ' +
    'nem não muito mais menos também já ainda é são sou era eram foi foram ser sido está estão estava estavam estar tem ' +
    'têm tinha tinham ter há havia todo toda todos todas outro outra outros outras mesmo mesma',
  dutch:
    'de het een der des den ik mij me mijn jij je jou jouw hij hem zijn zij ze haar wij we ons onze jullie hun hen u uw ' +
    'zich er dit dat deze die wie wat welke waar wanneer waarom hoe en of maar want omdat als dan dus toen terwijl niet ' +
    'geen wel ook nog al zeer te heel meer aan achter bij binnen boven buiten door in langs met na naar naast om onder op ' +
    'over sinds tegen tot tussen uit van vanaf voor voorbij zonder is ben bent was waren wordt worden werd werden geweest ' +
    'heb hebt heeft hebben had hadden kan kunnen kon moet moeten zal zullen zou zouden wil men iets niets alle alles ' +
    'andere zelf hier daar zo',
};

const isLanguage = (name: string): name is Language => name in STOP_WORD_LISTS;
export const languages: readonly Language[] = Object.keys(STOP_WORD_LISTS).filter(isLanguage);

const stopWords = new Map(languages.map((language) => [language, new Set(fold(STOP_WORD_LISTS[language]).split(' '))]));
const NO_LANGUAGE_WORDS: ReadonlySet<string> = new Set();

/** The folded stop words of a language. */
export const stopWordsOf = (language: Language): ReadonlySet<string> => stopWords.get(language) ?? NO_LANGUAGE_WORDS;

/** Upper bound of the characters that are read of all texts. */
const MAX_SAMPLED_UNITS = 20_000;
/** Upper bound of the characters that are read of one text: its beginning is enough. */
const MAX_UNITS_OF_TEXT = 300;
/** Fewer different stop words, or a smaller share of the words, leave the language in doubt: `El Paso`, `La Mer`. */
const MIN_STOP_WORDS = 5;
const MIN_SHARE = 0.05;
/** Names and brands are English anywhere: another language needs this multiple of their stop words. */
const ENGLISH_FACTOR = 1.5;
const LATIN_WORD = /[a-z]{2,}/g;

/** The language whose stop words are most of the texts' words, English where in doubt; one letter is no word here. */
export function languageOf(texts: Iterable<string>): Language {
  const times = new Map<string, number>();
  let words = 0;
  let unitsLeft = MAX_SAMPLED_UNITS;
  for (const text of texts) {
    const beginning = text.slice(0, MAX_UNITS_OF_TEXT);
    unitsLeft -= beginning.length;
    for (const word of fold(beginning).match(LATIN_WORD) ?? []) {
      words++;
      times.set(word, (times.get(word) ?? 0) + 1);
    }
    if (unitsLeft <= 0) break;
  }
  const counts = languages.map((language) => {
    const occurring = [...stopWordsOf(language)].flatMap((word) => times.get(word) ?? []);
    return { language, different: occurring.length, occurrences: occurring.reduce((sum, count) => sum + count, 0) };
  });
  const ofEnglish = counts.find(({ language }) => language === 'english')?.occurrences ?? 0;
  const [best] = counts.toSorted((a, b) => b.occurrences - a.occurrences);
  const isCertain =
    best !== undefined &&
    best.different >= MIN_STOP_WORDS &&
    best.occurrences >= Math.max(MIN_SHARE * words, ENGLISH_FACTOR * ofEnglish);
  return isCertain ? best.language : 'english';
}
