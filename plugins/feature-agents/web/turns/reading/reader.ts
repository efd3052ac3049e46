import { chosenRate, language, showToast, voiceFor } from '@agent-service/sdk/web'
import { loadMarkdown, markupParser } from '@agent-service/sdk/web/markdown'
import { createSignal } from 'solid-js'
import { createSentenceMark } from './sentence-mark.js'
import { sentencesOf, spokenBlocks } from './spoken-text.js'
import { languageOfText } from './text-language.js'
import { t } from './texts.js'

/** Chrome falls silent 15 seconds into an utterance; this many characters take less. */
const charactersAtNormalSpeed = 160

interface Reading {
  /** The element whose text is read. */
  readonly of: HTMLElement
  readonly isPaused: boolean
}

interface ReadingControls {
  pause(): void
  resume(): void
  stop(): void
}

const [reading, setReading] = createSignal<Reading>()
let current: ReadingControls | undefined

/** Whether a text is read aloud, and whether that pauses. */
export const readingState = (of: HTMLElement): 'silent' | 'reads' | 'pauses' => {
  const current = reading()
  return current?.of !== of ? 'silent' : current.isPaused ? 'pauses' : 'reads'
}

/** Reads Markdown aloud that an element shows; what was read before ends. */
export function readAloud(of: HTMLElement, markdown: string): void {
  current?.stop()
  const parse = markupParser()
  if (parse === undefined) return void readOnceLoaded(of, markdown)
  const blocks = spokenBlocks(markdown, { code: (lines) => t('code', { lines }), formula: t('formula') }, parse)
  const textLanguage = languageOfText(blocks.join('\n'), language())
  const rate = Number(chosenRate())
  const sentences = sentencesOf(blocks, textLanguage, Math.round(charactersAtNormalSpeed * rate))
  if (sentences.length === 0) {
    showToast(t('nothing'), { mark: 'off' })
    return
  }
  current = createReading(of, sentences, { textLanguage, rate })
  // Otherwise it would wait for what another page of the browser reads.
  speechSynthesis.cancel()
  current.resume()
}

/** The text is shown before the parser is there: it is still on its way, or did not come. */
async function readOnceLoaded(of: HTMLElement, markdown: string): Promise<void> {
  await loadMarkdown()
  if (markupParser() === undefined) showToast(t('read_failed'), { mark: 'fail' })
  else if (of.isConnected) readAloud(of, markdown)
}

function createReading(
  of: HTMLElement,
  sentences: readonly string[],
  { textLanguage, rate }: { readonly textLanguage: string; readonly rate: number },
): ReadingControls {
  const mark = createSentenceMark(of)
  let at = 0
  /** The utterance that counts: events of an abandoned one come late. */
  let spoken: SpeechSynthesisUtterance | undefined
  const silence = (): void => {
    spoken = undefined
    speechSynthesis.cancel()
  }
  const stop = (): void => {
    silence()
    mark.clear()
    removeEventListener('pagehide', stop)
    current = undefined
    setReading(undefined)
  }
  const say = (): void => {
    const sentence = sentences[at] ?? ''
    const utterance = utteranceOf(sentence, textLanguage, rate)
    utterance.onend = () => {
      if (spoken !== utterance) return
      at += 1
      if (at < sentences.length) say()
      else stop()
    }
    utterance.onerror = ({ error }) => {
      if (spoken !== utterance) return
      stop()
      if (error !== 'canceled' && error !== 'interrupted') showToast(reasonOf(error), { mark: 'fail' })
    }
    spoken = utterance
    mark.show(sentence)
    speechSynthesis.speak(utterance)
  }
  addEventListener('pagehide', stop)
  return {
    stop,
    /** `speechSynthesis.pause()` stops for good on some systems: the sentence begins anew instead. */
    pause() {
      silence()
      setReading({ of, isPaused: true })
    },
    resume() {
      setReading({ of, isPaused: false })
      say()
    },
  }
}

function utteranceOf(sentence: string, textLanguage: string, rate: number): SpeechSynthesisUtterance {
  const utterance = new SpeechSynthesisUtterance(sentence)
  const voice = voiceFor(speechSynthesis.getVoices(), textLanguage)
  utterance.lang = voice?.lang.replace('_', '-') ?? textLanguage
  utterance.voice = voice ?? null
  utterance.rate = rate
  return utterance
}

export const pauseReading = (): void => current?.pause()
export const resumeReading = (): void => current?.resume()

/** Ends reading; if an element is given, only the reading of its text. */
export function stopReading(of?: HTMLElement): void {
  if (of === undefined || reading()?.of === of) current?.stop()
}

const reasonOf = (error: string): string => {
  if (error === 'network') return t('read_network')
  if (error === 'language-unavailable' || error === 'voice-unavailable') return t('read_voice')
  return error === 'not-allowed' ? t('read_denied') : t('read_failed')
}
