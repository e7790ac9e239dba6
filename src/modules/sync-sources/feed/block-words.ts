/**
 * Words for nights without guests: closed days, repairs, the owner's own stay. The lists cover the
 * languages of the guest pages and of the channels' calendars, in the notation of
 * `shared/text/phrases`.
 */
import { foldCaseAndAccents, PhraseMatcher, splitWords } from '@/shared/text/phrases';

// biome-ignore format: one line for each language.
const BLOCKS = [
  'owner stay|owner stays|owner block|owner hold|owner use|owner visit|owner booking|owner reservation|owner blocked|owners|owner|maintenance|deep clean|deep cleaning|cleaning|cleaner|cleaners|turnover|housekeeping|busy|closed|closure|close out|closeout|seasonal closure|out of order|out of service|out of season|off season|renovation|renovations|refurbishment|repairs|repair|construction|inspection|painting|painters|plumber|pest control|private|private use|personal use|house use|staff use|own use|family use|family stay|family visit|not bookable|unbookable|do not book|no check in|no checkin|no arrival|no arrivals|blocked off|blocked off time|blocked dates|blocked period|blocked|manual block|manually blocked|auto block|block|preparation time|prep time|buffer|buffer day|gap night|advance notice|booking window|minimum stay|unavailable|not available|not avail|on hold|hold|held|stop sell|stop sale|no vacancy|calendar closed|closed period',
  'eigenbelegung|eigennutzung|eigenbedarf|eigentümer|eigentümeraufenthalt|eigentümerbelegung|eigentümerbuchung|besitzer|privat|privatnutzung|private nutzung|familie|familienbesuch|wartung|wartungsarbeiten|instandhaltung|reinigung|endreinigung|grundreinigung|putzen|putztag|renovierung|renovierungsarbeiten|reparatur|reparaturen|handwerker|gesperrt|sperrzeit|sperrung|sperre|blockiert|blockierung|blockade|blockzeit|geschlossen|betriebsferien|betriebsurlaub|nicht verfügbar|nicht buchbar|nicht buchen|nicht vermieten|nicht vermietbar|besetzt|beschäftigt|umbau|winterpause|ruhetag|puffer|außer betrieb',
  'séjour propriétaire|séjour du propriétaire|séjour des propriétaires|propriétaire|propriétaires|usage personnel|usage privé|usage propriétaire|occupation personnelle|occupation propriétaire|famille|privé|entretien|ménage|nettoyage|grand ménage|travaux|rénovation|rénovations|réparation|réparations|fermé|fermée|fermeture|fermeture annuelle|fermeture saisonnière|bloqué|bloquée|blocage|indisponible|non disponible|pas disponible|non réservable|ne pas réserver|ne pas louer|occupé|hors saison|hors service',
  'estancia del propietario|estancia propietario|propietario|propietarios|dueño|uso propio|uso personal|uso privado|familia|privado|mantenimiento|limpieza|limpieza profunda|obras|reforma|reformas|reparación|reparaciones|cerrado|cerrada|cierre|cierre de temporada|fuera de temporada|fuera de servicio|bloqueado|bloqueada|bloqueo|no disponible|no reservable|no reservar|ocupado|ocupada',
  'soggiorno del proprietario|soggiorno proprietario|proprietario|proprietari|uso proprietario|uso personale|uso privato|uso proprio|famiglia|privato|manutenzione|pulizia|pulizie|pulizie profonde|lavori|lavori in corso|ristrutturazione|riparazione|riparazioni|chiuso|chiusa|chiusura|chiusura stagionale|bloccato|bloccata|blocco|non disponibile|non prenotabile|non prenotare|occupato|occupata|fuori servizio|fuori stagione',
  'estadia do proprietário|estadia proprietário|estada do proprietário|proprietário|proprietários|dono|uso próprio|uso pessoal|uso particular|família|manutenção|limpeza|faxina|remodelação|renovação|reparação|reparações|reparo|reparos|fechado|fechada|encerrado|encerrada|encerramento|fora de época|fora de serviço|bloqueio|não disponível|indisponível|não reservável|não reservar',
  'eigenaar|verblijf eigenaar|eigenaarsverblijf|eigen gebruik|eigen verblijf|privé|privégebruik|onderhoud|schoonmaak|grote schoonmaak|verbouwing|renovatie|reparatie|reparaties|gesloten|sluiting|geblokkeerd|blokkade|blokkering|niet beschikbaar|niet boekbaar|niet boeken|niet verhuren|bezet|buiten gebruik|buiten seizoen',
  'właściciel|pobyt właściciela|właściciela|użytek własny|użytek prywatny|prywatne|prywatny|rodzina|konserwacja|sprzątanie|remont|naprawa|naprawy|zamknięte|zamknięty|zamknięcie|zablokowane|zablokowany|blokada|niedostępne|niedostępny|nie rezerwować|zajęte|zajęty|poza sezonem|wyłączone z użytku|przerwa techniczna',
  'владелец|проживание владельца|собственник|хозяин|для себя|личное пользование|личное использование|семья|обслуживание|техобслуживание|уборка|генеральная уборка|ремонт|ремонтные работы|закрыто|закрытие|закрыт|заблокировано|заблокирован|блокировка|недоступно|недоступен|не бронировать|занято|занят|не сезон|не работает',
  'إقامة المالك|المالك|مالك|استخدام شخصي|استعمال شخصي|خاص|عائلة|صيانة|تنظيف|تجديد|ترميم|إصلاح|إصلاحات|مغلق|مغلقة|إغلاق|محظور|محجوب|غير متاح|غير متوفر|مشغول|خارج الخدمة',
  '业主自住|业主入住|业主|房东自住|房东自用|房东|自用|自住|私人|家人|维护|维修|保养|清洁|打扫|大扫除|装修|翻新|修理|关闭|已关闭|停业|封锁|已封锁|屏蔽|不可用|不可预订|不可预定|无法预订|忙碌|暂停营业|淡季',
  'オーナー滞在|オーナー利用|オーナー使用|オーナー|所有者|自己利用|自己使用|私用|家族|メンテナンス|保守|清掃|掃除|改装|改修|リフォーム|修理|工事|休業|閉鎖|休館|ブロック|利用不可|予約不可|販売停止|予定あり|取り込み中|冬季休業',
  '소유자 숙박|소유자|주인 사용|집주인|호스트 사용|개인 사용|개인용|가족|유지보수|유지 보수|점검|청소|대청소|리모델링|수리|공사|휴업|폐쇄|닫힘|차단|차단됨|이용 불가|예약 불가|사용 불가|바쁨|비수기',
  // Languages that only the channels' calendars use.
  'ägare|ägarens vistelse|underhåll|städning|renovering|stängt|blockerad|ej tillgänglig|inte tillgänglig|upptagen|ejer|vedligeholdelse|rengøring|lukket|blokeret|ikke tilgængelig|optaget|eier|vedlikehold|rengjøring|stengt|blokkert|ikke tilgjengelig|opptatt',
  'omistaja|omistajan käyttö|huolto|siivous|remontti|suljettu|ei saatavilla|ei käytettävissä|majitel|údržba|úklid|rekonstrukce|zavřeno|blokováno|nedostupné|obsazeno|majiteľ|upratovanie|zatvorené|blokované|vlasnik|održavanje|čišćenje|zatvoreno|blokirano|nedostupno|zauzeto|lastnik|vzdrževanje|zaprto',
  'tulajdonos|karbantartás|takarítás|felújítás|zárva|nem elérhető|foglalt időszak|proprietar|întreținere|curățenie|închis|blocat|indisponibil|ocupat|propietari|manteniment|neteja|tancat|bloquejat|ιδιοκτητης|συντηρηση|καθαρισμος|κλειστο|μη διαθεσιμο|ev sahibi|mal sahibi|bakım|temizlik|tadilat|kapalı|müsait değil|bloke|dolu|власник|прибирання|обслуговування|зачинено|заблоковано|недоступно|зайнято|собственик|поддръжка|почистване|затворено|недостъпно',
];

/** Names of booking systems and channels. They are not guests' names. */
export const BOOKING_SYSTEM_NAME_MATCHER = new PhraseMatcher([
  'airbnb|booking com|booking.com|bookingcom|vrbo|homeaway|abritel|fewo direkt|fewodirekt|expedia|hotels com|agoda|tripadvisor|holidu|hometogo|google|trip com|trip.com|marriott|houfy|plum guide|ical|icalendar|calendar|kalender',
  'smoobu|lodgify|hostaway|guesty|ownerrez|hospitable|hospitable com|beds24|cloudbeds|avantio|rentals united|tokeet|uplisting|igms|hostfully|streamline|channel manager|channel a|channel b|channel c|direct|direkt|website|webseite|manual|pms|ota',
]);

/** Words that do not change the meaning of a text about blocked nights. */
const FILLERS = new PhraseMatcher([
  's|by|for|the|a|an|of|due|to|until|from|on|at|in|is|are|and|or|this|these|all|day|days|date|dates|night|nights|period|time|week|weekend|room|apartment|flat|house|villa|property|listing|unit|annual|winter|summer|season|work|works|stay|use|only|please|via|von|vom|bis|für|durch|wegen|und|der|die|das|den|im|am|zum|tag|tage|woche|zeitraum|wohnung|haus|ferienwohnung|unterkunft',
  'par|pour|du|de|des|le|la|les|et|en|au|jour|jours|période|appartement|maison|logement|por|para|el|los|las|del|y|día|días|casa|piso|apartamento|alojamiento|per|il|lo|gli|dei|della|e|giorno|giorni|appartamento|alloggio|do|da|dos|das|dia|dias|alojamento|door|voor|het|een|van|dag|dagen|woning|huis|dla|na|od|przez|mieszkanie|для|на|от|до|дом|квартира',
]);

const BLOCK = new PhraseMatcher(BLOCKS);
/** Words that describe blocked nights but are also surnames, such as “Painter”. */
const SURNAMES = new Set(
  'block|hold|held|cleaner|painter|painters|eigen|privat|sperre|handwerker|dono|owner|owners|familia|blocco'
    .split('|')
    .map(foldCaseAndAccents),
);

export type BlockedNightsLikelihood = 'block' | 'perhaps' | 'no';

/**
 * Returns how much of a text describes a block: all, a part, or nothing. Ignores system names,
 * numbers and words like "for". "Anna Block" is a person, and "Maintenance, Mr Doe" may be either.
 */
export function estimateBlockedNightsLikelihood(text: string): BlockedNightsLikelihood {
  const folded = foldCaseAndAccents(text);
  const words = splitWords(folded);
  if (!BLOCK.isIn(folded, words)) return 'no';
  const rest = FILLERS.without(BOOKING_SYSTEM_NAME_MATCHER.without(BLOCK.without(folded)));
  if (!/\p{L}/u.test(rest)) return 'block';
  return isPerson(text, words) ? 'no' : 'perhaps';
}

/**
 * Returns whether a text looks like a person's name, such as "Anna Block". Such a text has two or
 * three capitalized words. Only the last one is a word for blocked nights, and it is also a
 * surname.
 */
function isPerson(text: string, words: readonly string[]): boolean {
  const parts = text.trim().split(/\s+/);
  if (parts.length < 2 || parts.length > 3 || !parts.every((part) => /^\p{Lu}[\p{Ll}\p{M}’'-]+$/u.test(part)))
    return false;
  const last = words.at(-1) ?? '';
  const others = words.slice(0, -1).join(' ');
  return SURNAMES.has(last) && !BLOCK.isIn(others, splitWords(others));
}

/** Returns whether the text is only the name of a channel or booking system. */
export function isBookingSystemName(text: string): boolean {
  const folded = foldCaseAndAccents(text);
  if (!BOOKING_SYSTEM_NAME_MATCHER.isIn(folded, splitWords(folded))) return false;
  return !/\p{L}/u.test(BOOKING_SYSTEM_NAME_MATCHER.without(folded));
}
