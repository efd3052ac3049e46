/** What of `SpeechRecognition` the console uses; the types of TypeScript leave it out, since browsers differ. */
export interface Recognition extends EventTarget {
  /** The language that is spoken: `de-AT`. */
  lang: string
  /** Whether it goes on after a pause. */
  continuous: boolean
  /** Whether words are reported before they are certain. */
  interimResults: boolean
  /** Begins to listen; browsers ask the person first. Its events tell the words, and why it ended. */
  start(): void
  /** Ends, and reports what was heard until then. */
  stop(): void
  /** Ends without a further report. */
  abort(): void
}

type Recognitions = Readonly<Partial<Record<'SpeechRecognition' | 'webkitSpeechRecognition', new () => Recognition>>>

/** Whether the browser reads texts aloud. */
export const canReadAloud = (): boolean => 'speechSynthesis' in window && 'SpeechSynthesisUtterance' in window

/** What turns speech into words in this browser, if anything does. */
export const recognitionOf = (browser: object = window): (new () => Recognition) | undefined =>
  (browser as Recognitions).SpeechRecognition ?? (browser as Recognitions).webkitSpeechRecognition
