/**
 * Months and weekdays as mails of each language write them: whole, declined, shortened. The same word may be a month in one
 * language and a weekday, or another month, in the next ("mar" is March and Tuesday, "listopada" November and October).
 */

// biome-ignore format: a language a block; January and Sunday first.
const TABLE = {
  en: [
    'january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october oct|november nov|december dec',
    'sunday sun|monday mon|tuesday tues tue|wednesday weds wed|thursday thurs thur thu|friday fri|saturday sat',
  ],
  fr: [
    'janvier janv jan|février févr fév|mars|avril avr|mai|juin|juillet juill juil jul|août|septembre sept sep|octobre oct|novembre nov|décembre déc',
    'dimanche dim|lundi lun|mardi mar|mercredi mer|jeudi jeu|vendredi ven|samedi sam',
  ],
  de: [
    'januar jan jänner jän|februar feb feber|märz mär mrz|april apr|mai|juni jun|juli jul|august aug|september sept sep|oktober okt|november nov|dezember dez',
    'sonntag so|montag mo|dienstag di|mittwoch mi|donnerstag do|freitag fr|samstag sonnabend sa',
  ],
  es: [
    'enero ene|febrero feb|marzo mar|abril abr|mayo may|junio jun|julio jul|agosto ago|septiembre setiembre sept sep set|octubre oct|noviembre nov|diciembre dic',
    'domingo dom|lunes lun|martes mar|miércoles mié|jueves jue|viernes vie|sábado sáb',
  ],
  it: [
    'gennaio genn gen|febbraio febbr feb|marzo mar|aprile apr|maggio magg mag|giugno giu|luglio lugl lug|agosto ago|settembre sett set|ottobre ott|novembre nov|dicembre dic',
    'domenica dom|lunedì lun|martedì mar|mercoledì mer|giovedì gio|venerdì ven|sabato sab',
  ],
  pt: [
    'janeiro jan|fevereiro fev|março mar|abril abr|maio mai|junho jun|julho jul|agosto ago|setembro set|outubro out|novembro nov|dezembro dez',
    'domingo dom|segunda seg|terça ter|quarta qua|quinta qui|sexta sex|sábado sáb',
  ],
  nl: [
    'januari jan|februari feb|maart mrt|april apr|mei|juni jun|juli jul|augustus aug|september sept sep|oktober okt|november nov|december dec',
    'zondag zon zo|maandag maa ma|dinsdag din di|woensdag woe wo|donderdag don do|vrijdag vri vr|zaterdag zat za',
  ],
  sv: [
    'januari jan|februari feb|mars mar|april apr|maj|juni jun|juli jul|augusti aug|september sept sep|oktober okt|november nov|december dec',
    'söndag sön sö|måndag mån må|tisdag tis ti|onsdag ons on|torsdag tors tor to|fredag fre fr|lördag lör lö',
  ],
  da: [
    'januar jan|februar feb|marts mar|april apr|maj|juni jun|juli jul|august aug|september sept sep|oktober okt|november nov|december dec',
    'søndag søn sø|mandag man ma|tirsdag tirs tir ti|onsdag ons on|torsdag tors tor to|fredag fre fr|lørdag lør lø',
  ],
  no: [
    'januar jan|februar feb|mars mar|april apr|mai|juni jun|juli jul|august aug|september sept sep|oktober okt|november nov|desember des',
    'søndag søn sø|mandag måndag man mån ma|tirsdag tysdag tir tys ti ty|onsdag ons on|torsdag tors tor to|fredag fre fr|lørdag laurdag lør lau lø la',
  ],
  fi: [
    'tammikuu tammikuuta tammikuun tammi|helmikuu helmikuuta helmikuun helmi|maaliskuu maaliskuuta maaliskuun maalis|huhtikuu huhtikuuta huhtikuun huhti|toukokuu toukokuuta toukokuun touko|kesäkuu kesäkuuta kesäkuun kesä|heinäkuu heinäkuuta heinäkuun heinä|elokuu elokuuta elokuun elo|syyskuu syyskuuta syyskuun syys|lokakuu lokakuuta lokakuun loka|marraskuu marraskuuta marraskuun marras|joulukuu joulukuuta joulukuun joulu',
    'sunnuntai sunnuntaina su|maanantai maanantaina ma|tiistai tiistaina ti|keskiviikko keskiviikkona ke|torstai torstaina to|perjantai perjantaina pe|lauantai lauantaina la',
  ],
  pl: [
    'styczeń stycznia sty|luty lutego lut|marzec marca mar|kwiecień kwietnia kwi|maj maja|czerwiec czerwca cze|lipiec lipca lip|sierpień sierpnia sie|wrzesień września wrz|październik października paź|listopad listopada lis|grudzień grudnia gru',
    'niedziela niedzielę niedz nd|poniedziałek pon pn|wtorek wt|środa środę śr|czwartek czw|piątek pt|sobota sobotę sob',
  ],
  cs: [
    'leden ledna led|únor února úno|březen března bře|duben dubna dub|květen května kvě|červen června čer čvn|červenec července čvc|srpen srpna srp|září zář|říjen října říj|listopad listopadu lis|prosinec prosince pro',
    'neděle neděli ne|pondělí po|úterý út|středa středu st|čtvrtek čt|pátek pá|sobota sobotu so',
  ],
  sk: [
    'január januára jan|február februára feb|marec marca mar|apríl apríla apr|máj mája|jún júna|júl júla|august augusta aug|september septembra sep|október októbra okt|november novembra nov|december decembra dec',
    'nedeľa nedeľu ne|pondelok po|utorok ut|streda stredu st|štvrtok št|piatok pi|sobota sobotu so',
  ],
  // With Serbian, Bosnian and Slovenian.
  hr: [
    'siječanj siječnja sij januar jan|veljača veljače velj februar feb|ožujak ožujka ožu mart mar marec|travanj travnja tra april apr|svibanj svibnja svi maj|lipanj lipnja lip jun juni junij|srpanj srpnja srp jul juli julij|kolovoz kolovoza kol avgust avg august aug|rujan rujna ruj septembar september sep|listopad listopada lis oktobar oktober okt|studeni studenoga studenog stu novembar november nov|prosinac prosinca pro decembar december dec',
    'nedjelja nedjelju nedelja ned|ponedjeljak ponedeljak ponedeljek pon|utorak torek uto tor|srijeda srijedu sreda sri sre|četvrtak četrtek čet|petak petek pet|subota subotu sobota sub sob',
  ],
  hu: [
    'január jan|február febr feb|március márc|április ápr|május máj|június jún|július júl|augusztus aug|szeptember szept|október okt|november nov|december dec',
    'vasárnap vas|hétfő hét|kedd|szerda sze|csütörtök csüt cs|péntek pén|szombat szo',
  ],
  ro: [
    'ianuarie ian|februarie feb|martie mar|aprilie apr|mai|iunie iun|iulie iul|august aug|septembrie sept sep|octombrie oct|noiembrie nov noi|decembrie dec',
    'duminică dum|luni lun|marți mar|miercuri mie|joi|vineri vin|sâmbătă sâm',
  ],
  ca: [
    'gener gen|febrer febr feb|març|abril abr|maig|juny|juliol jul|agost ag|setembre set|octubre oct|novembre nov|desembre des',
    'diumenge dg|dilluns dl|dimarts dt|dimecres dc|dijous dj|divendres dv|dissabte ds',
  ],
  el: [
    'ιανουάριος ιανουαρίου ιαν|φεβρουάριος φεβρουαρίου φεβ|μάρτιος μαρτίου μάρ μαρ|απρίλιος απριλίου απρ|μάιος μαΐου μάι μαΐ|ιούνιος ιουνίου ιούν ιουν|ιούλιος ιουλίου ιούλ ιουλ|αύγουστος αυγούστου αύγ αυγ|σεπτέμβριος σεπτεμβρίου σεπ|οκτώβριος οκτωβρίου οκτ|νοέμβριος νοεμβρίου νοε|δεκέμβριος δεκεμβρίου δεκ',
    'κυριακή κυρ|δευτέρα δευ|τρίτη τρί|τετάρτη τετ|πέμπτη πέμ|παρασκευή παρ|σάββατο σάβ',
  ],
  tr: [
    'ocak oca|şubat şub|mart mar|nisan nis|mayıs may|haziran haz|temmuz tem|ağustos ağu|eylül eyl|ekim eki|kasım kas|aralık ara',
    'pazar paz|pazartesi pzt pts|salı sal|çarşamba çar|perşembe per|cuma cum|cumartesi cmt cts',
  ],
  ru: [
    'январь января янв|февраль февраля февр фев|март марта мар|апрель апреля апр|май мая|июнь июня июн|июль июля июл|август августа авг|сентябрь сентября сент сен|октябрь октября окт|ноябрь ноября нояб ноя|декабрь декабря дек',
    'воскресенье вс|понедельник пн|вторник вт|среда среду ср|четверг чт|пятница пятницу пт|суббота субботу сб',
  ],
  uk: [
    'січень січня січ|лютий лютого лют|березень березня бер|квітень квітня квіт|травень травня трав|червень червня черв|липень липня лип|серпень серпня серп|вересень вересня вер|жовтень жовтня жовт|листопад листопада лист|грудень грудня груд',
    // The apostrophe of Friday may end a word.
    'неділя неділю нд|понеділок пн|вівторок вт|середа середу ср|четвер чт|пʼятниця пʼятницю ятниця ятницю пт|субота суботу сб',
  ],
  // Their dates are numbers with signs between them (mentions.ts).
  ja: ['', ''],
  zh: ['', ''],
  ko: ['', ''],
} as const satisfies Record<string, readonly [months: string, weekdays: string]>;

export type Language = keyof typeof TABLE;

export const LANGUAGES = Object.keys(TABLE) as Language[];

/** What a word of a language may be: a month from 1, a weekday from 0 (Sunday). */
export interface DateWord {
  readonly month?: number;
  readonly weekday?: number;
}

const words = new Map(LANGUAGES.map((language) => [language, wordsOf(TABLE[language])]));

/** They write the weekday behind the date: "12 Haziran Cuma". */
export const WEEKDAY_LAST: readonly Language[] = ['tr', 'hu'];

/** The words of a language, in lower case. */
export const wordsIn = (language: Language): ReadonlyMap<string, DateWord> => words.get(language)!;

/** Whether some language names a weekday so. */
export const mayBeWeekday = (word: string): boolean =>
  LANGUAGES.some((language) => wordsIn(language).get(word)?.weekday !== undefined);

const ALIASES: Readonly<Record<string, Language>> = { nb: 'no', nn: 'no', sr: 'hr', bs: 'hr', sl: 'hr' };

/** The language of a tag like `fr-ca`; null when it is none of ours. */
export function languageOf(tag: string | null): Language | null {
  const code = (tag ?? '').toLowerCase().split(/[-_]/)[0] ?? '';
  return LANGUAGES.find((language) => language === code) ?? ALIASES[code] ?? null;
}

function wordsOf([months, weekdays]: readonly [string, string]): Map<string, DateWord> {
  const words = new Map<string, DateWord>();
  const add = (name: string, meaning: DateWord) => words.set(name, { ...meaning, ...words.get(name) });
  for (const [index, names] of months.split('|').entries())
    for (const name of names.split(' ')) add(name, { month: index + 1 });
  for (const [weekday, names] of weekdays.split('|').entries())
    for (const name of names.split(' ')) add(name, { weekday });
  // Many mails are written without accents; a word that is another's without them keeps its own meaning.
  const exact = new Set(words.keys());
  for (const [word, meaning] of [...words]) {
    const plain = word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('ø', 'o');
    if (!exact.has(plain)) add(plain, meaning);
  }
  return words;
}
