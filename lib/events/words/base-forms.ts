/** What languages write as a part of a word, where English has a word of its own: `Lizbon’da`, `도쿄에서`, `d’enfants`. */
const affixes: readonly RegExp[] = [
  // French, folded.
  /^(?:[cdjlmnst]|qu)'(?=\p{L}{2})/u,
  // Turkish, and the English genitive.
  /'\p{L}{1,5}$/u,
  // Korean.
  /(?<=\p{sc=Hang})(?:에서는|에서|으로|에는|에|의|은|는|이|가|을|를|로|도|와|과)$/u,
  // Arabic: prepositions, also with the article.
  /^[بلوفك](?=\p{sc=Arab}{3})/u,
  /^(?:[وبفك]?ال|لل)(?=\p{sc=Arab}{3})/u,
];

/** A Polish city behind “in”: `w Krakowie`, `w Lizbonie`, `w Edynburgu`. */
const polishPlace = /^we? (\p{L}{3,}?)(ie|iu|u|i)$/u;

/** What folded words may be without the parts that a language adds to them; they themselves come first. */
export function listBaseForms(phrase: string): string[] {
  const [, stem = '', ending] = polishPlace.exec(phrase) ?? [];
  const places = ending === undefined ? [] : [stem, `${stem}a`];
  const plain = affixes.map((affix) => phrase.replace(affix, ''));
  return [...new Set([phrase, ...plain, ...places])];
}
