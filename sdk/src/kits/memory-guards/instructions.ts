import { foldedText } from './folded-text.js'

/**
 * Whether a text is an order to an agent rather than something that is known, in English, German,
 * Spanish, French, Italian, Portuguese, Dutch, and the plainest ones in Chinese. Letters that only look
 * Latin, and invisible characters, hide nothing.
 */
export function looksLikeInstruction(text: string): boolean {
  const folded = foldedText(text)
  return orders.some((pattern) => pattern.test(folded))
}

/** The same for lists of steps, which are orders by nature: only what no such list needs. */
export function looksPlanted(text: string): boolean {
  const folded = foldedText(text)
  return planted.some((pattern) => pattern.test(folded))
}

const start = '(?<![\\p{L}\\p{N}])'
const end = '(?![\\p{L}\\p{N}])'
/** What an order can begin with, before its verb. */
const openers =
  "from now on|henceforth|from today on|ab sofort|ab jetzt|von nun an|in zukunft|kunftig|de ahora en adelante|a partir de ahora|desormais|dorenavant|a partir de maintenant|d[\u2019']ora in poi|da ora in poi|a partir de agora|de agora em diante|vanaf nu|voortaan"
const first = `^[^\\p{L}\\p{N}]*(?:(?:${openers})(?![\\p{L}\\p{N}])[^\\p{L}\\p{N}]*)?`
const rule = (source: string): RegExp => new RegExp(source, 'su')

/** Verbs by which orders are to lose their force, and what they are said of. Texts are folded: no accents. */
const setAside =
  'ignor(?:e|ed|es|a|ar|ate|ez|er|i|iere|ieren|iert)|disregard|forget|override|bypass|missachten?|vergiss|vergessen sie|olvid[ae]|desobede(?:ce|zca)|oublie[zr]?|desobeis(?:sez)?|dimentica(?:te)?|esqueca|esquece|desconsidere|negeer|vergeet'
const whatIsSaid =
  'instruc|instruc(?:c|t)ion|instruction|instruktion|istruzion|instruc(?:oe|ao)|instructie|prompt|rules?|polic|guideline|previous|prior|above|anweisung|regel|vorherig|obig|consigne|precedent|ci-dessus|anterior|previ[ao]s|indicaci|regol|regra|reglas|regles|acima|vorige|eerdere|bovenstaande|opdracht'

const planted: readonly RegExp[] = [
  rule(`${start}(?:${setAside})${end}.{0,60}${start}(?:${whatIsSaid}|approval|permission|genehmigung|aprobaci|autorizac|autorisation)`),
  rule(`${start}(?:system|developer)[ -]?(?:prompt|message)`),
  rule('(?:忽略|无视|無視|忘记|忘記).{0,20}(?:指令|指示|提示|规则|規則)'),
]

/** Who is spoken of: an assistant as such, not the agent of a trade. */
const someAgent = [
  `${first}(?:dear )?(?:assistants?|agents?|models?|chatbots?|ai|llm)`,
  `${start}(?:the|any|every|each|all|this|these|dear|future) (?:\\p{L}+ )?(?:assistants?|agents?|models?|chatbots?|ais?|llms?)`,
  `${start}(?:der|jeder|die|alle|dieser|diese) (?:ki-?)?(?:assistent(?:en)?|agent(?:en)?|modelle?|ki)`,
  `${start}(?:el|cada|todo|cualquier|este) (?:asistente|agente|modelo)`,
  `${start}(?:l['’]|chaque |tout |le |cet )(?:assistant|agent|modele)`,
  `${start}(?:l['’]|ogni |il |questo |qualsiasi )(?:assistente|agente|modello)`,
  `${start}(?:o|cada|todo|este|qualquer) (?:assistente|agente|modelo)`,
  `${start}(?:de|elke|iedere|het|deze) (?:assistent|agent|model)`,
].join('|')
const duty =
  'must|should|shall|has to|have to|needs? to|ought to|is to|are to|always|never|muss|mussen|soll|sollen|darf nicht|immer|niemals|debe|deben|tiene que|siempre|nunca|doit|doivent|toujours|jamais|deve|devono|devem|sempre|mai|moet|moeten|altijd|nooit'

/** What agents are led to do, as an order or an infinitive. */
const verbsOfOrders =
  'approve|send|forward|pay|delete|run|execute|transfer|share|install|senden|schicken|weiterleiten|zahlen|genehmigen|loschen|ausfuhren|uberweisen|enviar|pagar|aprobar|aprovar|borrar|ejecutar|executar|transferir|envoyer|payer|approuver|supprimer|executer|transferer|inviare|pagare|approvare|cancellare|eseguire|trasferire|sturen|betalen|goedkeuren|verwijderen|uitvoeren'
const unasked =
  'without (?:asking|confirmation|approval|confirming)|never ask(?:ing)?|ohne (?:zu fragen|nachzufragen|ruckfrage|nachfrage|bestatigung|genehmigung)|sin (?:preguntar|confirmar)|sans (?:demander|confirmation)|senza (?:chiedere|conferma)|sem (?:perguntar|confirmar)|zonder te vragen'

const orders: readonly RegExp[] = [
  ...planted,
  // What is done unasked is what an approval is for.
  rule(`${start}(?:${verbsOfOrders})${end}.{0,80}${start}(?:${unasked})${end}`),
  rule(`${start}(?:${unasked})${end}.{0,80}${start}(?:${verbsOfOrders})${end}`),
  rule(`${start}(?:jailbreak|prompt[ -]?injection)`),
  rule(`(?:${someAgent})${end}.{0,30}${start}(?:${duty})${end}`),
  rule(`(?<!thank )${start}you${end}.{0,30}${start}(?:must|should|shall|have to|need to|ought to|are to|always|never)${end}`),
  rule(`${start}du${end}.{0,30}${start}(?:musst|sollst|darfst nicht|immer|niemals|nie)${end}`),
  rule(
    `${start}(?:sie (?:mussen|sollen) (?:immer|niemals|nie|alle|jede)|tu debes|debes|usted debe|tu dois|vous devez|tu devi|dovete|voce deve|tu deves|je moet|jij moet|u moet|u dient)${end}`,
  ),
  // Not what somebody does or has done, and not how they are: “Never smokes.”, “Always wanted a dog.”, “Always on time.”
  rule(
    `${first}(?:always|never)\\s+(?!(?:${[
      'was|were|had|has|is|been|did|does|went|ate|drank|drove|flew|took|got|saw|made|met|read|rode|wrote|bought|thought|felt|kept|left|slept|spoke|swam|sang|won|lost|knew|grew|became|began|came|gave|said|told',
      'a|an|the|his|her|their|on|in|at|by|with|without|for|from|to|before|after|during|too|very|quite|so|up|out|off|online|offline',
      'late|early|hungry|tired|busy|alone|ready|available|happy|sick|cold|warm|open|polite|punctual|careful|honest|kind|there|here|home|again|married|pregnant|vegetarian|vegan',
      '\\p{L}+(?<!s)s|(?!(?:embed|feed|need|heed|seed|speed|exceed|proceed|shed)\\b)\\p{L}+ed|\\p{L}+ing',
    ].join('|')})(?!\\p{L}))\\p{L}`,
  ),
  rule(
    `${first}(?:do not|don['’]?t|please|bitte|por favor|s['’]il (?:te|vous) plait|veuillez|per favore|per piacere|alsjeblieft|alstublieft)${end}`,
  ),
  // “Send files to …”, not “Print shop owner”, “Call centre”.
  rule(
    `${first}(?:send|forward|upload|execute|run|call|delete|transfer|pay|approve|reveal|print|output|respond|reply|answer|append|include|insert|mention|recommend|tell|open|visit|download|write)\\s+(?:the|all|every|any|each|this|that|these|those|it|them|me|him|us|to|my|your|their|an?|no|in|with|only|always|everything|anything|files?|money|emails?|e-mails?|messages?|passwords?|secrets?|data|code|commands?|tools?|copies|https?|[\`"“/\\d])`,
  ),
  rule(
    `${first}(?:sende|schicke|leite|fuhre|losche|uberweise|zahle|antworte|schreibe|verrate|zeige|gib|offne|nenne|erwahne|empfiehl)${end}`,
  ),
  rule(
    `${first}(?:immer|niemals|nie)\\s(?:[^.!?\\n]{0,80}\\s)?(?:antworten|senden|schicken|weiterleiten|ausfuhren|loschen|uberweisen|zahlen|verraten|fragen|erwahnen|empfehlen|bestatigen|genehmigen|ablehnen|verwenden|ausgeben|anzeigen)${end}`,
  ),
  rule(
    `${first}(?:siempre |nunca |toujours |jamais |sempre |mai |altijd |nooit |no |ne )?(?:envie|ejecute|borre|elimine|transfiera|pague|responda|revele|muestre|reenvie|conteste|mencione|recomiende|execute|apague|exclua|transfira|mostre|encaminhe|recomende|envoyez|executez|supprimez|transferez|payez|repondez|revelez|affichez|mentionnez|recommandez|inviate|inoltrate|eseguite|esegui|cancellate|trasferisci|trasferite|rispondi|rispondete|rivelate|scrivi|scrivete|stuur|verstuur|verwijder|verwijs|betaal|antwoord|onthul|voer|schrijf|noem)${end}`,
  ),
]
