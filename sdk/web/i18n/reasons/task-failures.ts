import { type GermanReasons, germanOf } from '../german-of.js'
import { language } from '../language.js'
import type { ReasonText } from '../reason-text.js'

/** Why tasks fail, are cancelled, or are late. A test compares the English side with what the service writes. */
export const germanTaskFailures: GermanReasons = [
  [
    'The agent of this task was deleted or disabled. Choose another agent for the task, or enable it again.',
    'Der Agent dieser Aufgabe wurde gelöscht oder abgeschaltet. Wähle einen anderen für die Aufgabe, oder schalte ihn wieder ein.',
  ],
  [
    'The agent of this task was deleted while it was at work. Choose another agent for the task.',
    'Der Agent dieser Aufgabe wurde gelöscht, während er daran arbeitete. Wähle einen anderen für die Aufgabe.',
  ],
  ['There is no enabled agent for this task. Choose one.', 'Für diese Aufgabe gibt es keinen eingeschalteten Agenten. Wähle einen.'],
  ['The account of this task’s owner is closed or disabled.', 'Das Konto, dem diese Aufgabe gehört, ist geschlossen oder abgeschaltet.'],
  ['The account of this task’s owner is closed.', 'Das Konto, dem diese Aufgabe gehört, ist geschlossen.'],
  [
    'The account of this task’s owner is closed or disabled, so the task is paused.',
    'Das Konto, dem diese Aufgabe gehört, ist geschlossen oder abgeschaltet; darum ruht die Aufgabe.',
  ],
  [
    'The agent’s result did not have the form that the task asks for: {}',
    'Das Ergebnis des Agenten hatte nicht die Form, die die Aufgabe verlangt: {}',
  ],
  ['The task did not end in its time: {}', 'Die Aufgabe wurde nicht in ihrer Zeit fertig: {}'],
  [
    'The policies of this service do not let the agent that created this task, or one for which that one worked, ask the agent of the task.',
    'Die Richtlinien dieses Dienstes erlauben dem Agenten, der diese Aufgabe angelegt hat, oder einem, für den er arbeitete, nicht, den Agenten der Aufgabe zu fragen.',
  ],
  ['The model could not be called: {}', 'Das Modell ließ sich nicht aufrufen: {}'],
  ['The run failed without a reason.', 'Der Lauf ist ohne Angabe eines Grundes gescheitert.'],
  ['The task that waited for this one has ended.', 'Die Aufgabe, die auf diese wartete, ist zu Ende.'],
  ['The chat of this task was deleted while it was at work.', 'Der Chat dieser Aufgabe wurde gelöscht, während an ihr gearbeitet wurde.'],
  [
    'An internal error occurred. The cause is in the service log.',
    'Es gab einen internen Fehler. Die Ursache steht im Protokoll des Dienstes.',
  ],
  ['The task was cancelled.', 'Die Aufgabe wurde abgebrochen.'],
  ['Its run was stopped.', 'Ihr Lauf wurde angehalten.'],
  [
    'The agent came to an end, but the last call of {} failed, so the work may not be done. Its answer and log say more.',
    'Der Agent kam zu einem Ende, aber der letzte Aufruf von {} scheiterte: Vielleicht ist die Arbeit nicht getan. Seine Antwort und das Protokoll sagen mehr.',
  ],
  [
    'The service did not run then, or could not look at its tasks. The task leaves missed times out: this one and {} after it.',
    'Der Dienst lief da nicht, oder er konnte nicht nach seinen Aufgaben sehen. Die Aufgabe lässt verpasste Zeiten aus: diese und {} danach.',
  ],
  [
    'The service did not run then, or could not look at its tasks. The task leaves missed times out.',
    'Der Dienst lief da nicht, oder er konnte nicht nach seinen Aufgaben sehen. Die Aufgabe lässt verpasste Zeiten aus.',
  ],
  [
    'The service did not run then, or could not look at its tasks.',
    'Der Dienst lief da nicht, oder er konnte nicht nach seinen Aufgaben sehen.',
  ],
  ['Its run is still being started.', 'Ihr Lauf wird noch gestartet.'],
  ['It is tried again: {}', 'Sie wird noch einmal versucht: {}'],
  ['Its run before is still at work.', 'An ihrem vorigen Lauf wird noch gearbeitet.'],
  [
    'Its run before still waits, for an answer of a person or for other tasks.',
    'Ihr voriger Lauf wartet noch, auf eine Antwort oder auf andere Aufgaben.',
  ],
  ['It waits for a place, since other tasks are at work.', 'Sie wartet auf einen Platz, da an anderen Aufgaben gearbeitet wird.'],
]

/** A failure in the language of the page; what is within it, as a model’s provider said it, stays as it is. */
export function taskFailureText(message: string): ReasonText {
  if (language() !== 'de') return { text: message, lang: 'en' }
  const text = germanOf(germanTaskFailures, message)
  if (text === undefined) return { text: message, lang: 'en' }
  // A reason in a reason is one of these, too: why it is tried again.
  const inner = /^It is tried again: (.+)$/s.exec(message)?.[1]
  const translated = inner === undefined ? undefined : germanOf(germanTaskFailures, inner)
  return { text: inner === undefined || translated === undefined ? text : text.replace(inner, () => translated), lang: 'de' }
}

/** What stands around a failure in a notification of a task. */
const germanFrames: GermanReasons = [
  ['It has failed once more since the last e-mail about it.', 'Sie ist seit der letzten E-Mail darüber noch einmal gescheitert.'],
  ['It has failed {} more times since the last e-mail about it.', 'Sie ist seit der letzten E-Mail darüber noch {}-mal gescheitert.'],
  ['The task waits for an answer of yours.', 'Die Aufgabe wartet auf eine Antwort von dir.'],
  ['The task failed.', 'Die Aufgabe ist gescheitert.'],
]

/** What a notification of a task says, paragraph by paragraph; what is not the service’s own stays as it is. */
export function taskNotificationText(text: string): string {
  if (language() !== 'de') return text
  return text
    .split('\n\n')
    .map((paragraph) => germanOf(germanFrames, paragraph) ?? taskFailureText(paragraph).text)
    .join('\n\n')
}
