/** What of `SpeechRecognition` the console uses; the types of TypeScript leave it out, since browsers differ. */
export interface Recognition extends EventTarget {
  lang: string
  continuous: boolean
  interimResults: boolean
  start(): void
  stop(): void
  abort(): void
}

type Recognitions = Readonly<Partial<Record<'SpeechRecognition' | 'webkitSpeechRecognition', new () => Recognition>>>

/** Whether the browser reads texts aloud. */
export const canReadAloud = (): boolean => 'speechSynthesis' in window && 'SpeechSynthesisUtterance' in window

/** What turns speech into words in this browser, if anything does. */
export const recognitionOf = (browser: object = window): (new () => Recognition) | undefined =>
  (browser as Recognitions).SpeechRecognition ?? (browser as Recognitions).webkitSpeechRecognition
