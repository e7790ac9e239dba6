/**
 * Mail that asks a host for a booking, and is none yet: requests and inquiries, as channels and guests word them. A
 * booking taken for a request waits in the inbox; a request taken for a booking is a guest who never comes.
 */

/** In a subject, where channels say what the mail is. A language a line. */
// biome-ignore format: a language a line.
const ASKING = [
  String.raw`\brequest(?:s|ed)?\b|\b[ie]nquir(?:y|ies|es)\b|\bpending\b|\bawaiting\b|pre-?approv|\bto be confirmed\b|\bplease confirm\b|\bwants? to (?:book|stay)\b|\bneeds? your (?:confirmation|approval|response|answer)`,
  'anfrage|bitte bestätigen|ausstehend|vorläufig|möchte buchen',
  String.raw`demande|\ben attente\b|à confirmer|souhaite (?:réserver|séjourner)`,
  'solicitud|consulta|pendiente|por confirmar|quiere reservar',
  String.raw`richiesta|\bin attesa\b|da confermare|vuole prenotare`,
  'aanvraag|aanvragen|verzoek|in behandeling|te bevestigen|wil boeken',
  'pedido|solicitação|pendente|a confirmar|quer reservar',
  'förfrågan|bokningsbegäran|väntande|vill boka',
  'forespørgsel|anmodning|afventer|forespørsel|venter på',
  'pyyntö|tiedustelu|odottaa',
  'zapytanie|prośba|oczekuj|žádost|poptávka|žiadosť|dopyt|zahtjev|zahtev|povpraševanje|(?<!\\p{L})upit',
  'kérelem|foglalási igény|érdeklődés|függőben|cerere|solicitare|în așteptare|sol·licitud|(?<!\\p{L})pendent',
  'запрос|ожида|запит|очіку|ζήτηση|αίτημα|εκκρεμ|talebi|isteği|bekliyor|beklemede',
  'リクエスト|問い合わせ|承認待ち|仮予約|请求|請求|申请|申請|咨询|諮詢|询问|詢問|待确认|待確認|요청|문의|대기',
];

/** Wherever they stand: what only a mail says that waits for an answer, or denies that it is a booking. */
// biome-ignore format: a language a line.
const UNDECIDED = [
  String.raw`\b(?:24|48) hours to (?:accept|answer|decide|reply|respond)|\bpre-?approve\P{L}{1,6}(?:or\P{L}{1,6})?decline`,
  String.raw`\baccept\P{L}{1,6}(?:or\P{L}{1,6})?(?:decline|reject|refuse)|\bconfirm\P{L}{1,6}(?:or\P{L}{1,6})?(?:decline|reject|refuse)|\b(?:not|isn[’']t|hasn[’']t)(?: yet| been){0,3} confirmed|\bunconfirmed\b`,
  String.raw`annehmen\P{L}{1,6}(?:oder\P{L}{1,6})?ablehnen|nicht bestätigt|unbestätigt`,
  String.raw`accepte[rz]\P{L}{1,6}(?:ou\P{L}{1,6})?(?:refuse|décline)[rz]|(?:non|pas(?: encore)?) confirmée?|n[’']est pas (?:encore )?confirmée?`,
  String.raw`acepta[r]?\P{L}{1,6}(?:o\P{L}{1,6})?(?:rechaza|declina)|\bno (?:está |ha sido )?(?:aún |todavía )?confirmad|sin confirmar`,
  String.raw`accetta(?:re)?\P{L}{1,6}(?:o\P{L}{1,6})?(?:rifiuta|declina)|non (?:è )?(?:ancora )?(?:stata )?confermat`,
  String.raw`accepte(?:er|ren)\P{L}{1,6}(?:of\P{L}{1,6})?(?:weiger|wijs|afwijz)|niet bevestigd|onbevestigd`,
  String.raw`aceit(?:e|ar)\P{L}{1,6}(?:ou\P{L}{1,6})?(?:recus|rejeit)|não (?:está |foi )?(?:ainda )?confirmad`,
  String.raw`(?:acceptera|godkänn)\P{L}{1,6}(?:eller\P{L}{1,6})?(?:neka|avböj|avvisa)|(?:inte|ej) bekräfta|obekräftad`,
  String.raw`(?:accept[eé]r|godkend|godta)\P{L}{1,6}(?:eller\P{L}{1,6})?(?:afvis|avslå|avvis)|ikke bekr[æe]ftet|ikke bekreftet|ubekr[æe]ftet|ubekreftet`,
  String.raw`hyväksy\P{L}{1,6}(?:tai\P{L}{1,6})?hylkää|ei (?:ole )?(?:vielä )?vahvistettu|vahvistamaton`,
  String.raw`(?:zaakceptuj|przyjmij)\P{L}{1,6}(?:lub\P{L}{1,6})?odrzuć|niepotwierdzon|nie została (?:jeszcze )?potwierdzon`,
  String.raw`přijmout\P{L}{1,6}(?:nebo\P{L}{1,6})?odmítnout|nepotvrzen|není (?:zatím |ještě )?potvrzen`,
  String.raw`prijať\P{L}{1,6}(?:alebo\P{L}{1,6})?odmietnuť|nepotvrden|nie je (?:zatiaľ |ešte )?potvrden`,
  String.raw`prihvati(?:te)?\P{L}{1,6}(?:ili\P{L}{1,6})?odbij|nepotvrđen|nije (?:još )?potvrđen|ni (?:še )?potrjen`,
  String.raw`elfogad\p{L}{0,6}\P{L}{1,6}(?:vagy\P{L}{1,6})?elutasít|nincs (?:még )?(?:megerősít|visszaigazol)|nem megerősített|visszaigazolatlan`,
  String.raw`accept(?:ă|ați)\P{L}{1,6}(?:sau\P{L}{1,6})?(?:refuz|respinge)|neconfirmat|nu (?:este|a fost) (?:încă )?confirmat`,
  String.raw`accepta\P{L}{1,6}(?:o\P{L}{1,6})?rebutja|no està (?:encara )?confirmad`,
  String.raw`αποδοχή\P{L}{1,6}(?:ή\P{L}{1,6})?απόρριψη|δεν έχει (?:ακόμα |ακόμη )?επιβεβαιωθεί|μη επιβεβαιωμέν`,
  String.raw`kabul et\P{L}{1,6}(?:veya\P{L}{1,6})?reddet|onaylanma(?:dı|mış)|onaysız`,
  String.raw`принять\P{L}{1,6}(?:или\P{L}{1,6})?отклонить|не подтвержд|неподтвержд`,
  String.raw`прийняти\P{L}{1,6}(?:або\P{L}{1,6})?відхилити|не підтвердж|непідтвердж`,
  '未確定|未確認|未确认|承認または辞退|接受或拒绝|接受或婉拒|미확정|확정되지 않|수락 또는 거절',
];

const asking = ASKING.map((words) => new RegExp(words, 'iu'));
const undecided = UNDECIDED.map((words) => new RegExp(words, 'iu'));

/** Whether the mail asks for a booking instead of telling of one. */
export function isRequest(subject: string, text: string): boolean {
  return (
    asking.some((words) => words.test(subject)) || undecided.some((words) => words.test(subject) || words.test(text))
  );
}
