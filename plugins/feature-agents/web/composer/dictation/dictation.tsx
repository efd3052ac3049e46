import './dictation.css'
import {
  announce,
  confirmAction,
  dictationLanguage,
  IconButton,
  isDictationExplained,
  type Recognition,
  recognitionOf,
  rememberDictationExplained,
  showToast,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, onCleanup } from 'solid-js'
import { createDictatedText } from './dictated-text.js'
import { t } from './texts.js'

/** Dictation ends after this long without a word. */
const silenceMs = 10_000

interface RecognitionResult extends Event {
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }>>
}

/** Writes what is said into the field, while the person wants that: it never begins by itself. */
export function Dictation(props: { readonly field: () => HTMLTextAreaElement | undefined }): JSX.Element {
  const [dictation, setDictation] = createSignal<Recognition>()
  const stop = (): void => dictation()?.stop()
  const begin = async (): Promise<void> => {
    if (!window.isSecureContext) {
      showToast(t('dictate_insecure'), { mark: 'fail' })
      return
    }
    if (!isDictationExplained() && !(await confirmAction(soundNote()))) return
    rememberDictationExplained()
    const [field, Recogniser] = [props.field(), recognitionOf()]
    if (!field || !Recogniser || dictation()) return
    field.focus({ preventScroll: true })
    try {
      setDictation(listen(new Recogniser(), field, () => setDictation(undefined)))
      announce(t('dictating'))
    } catch (cause) {
      setDictation(undefined)
      showToast(t('dictate_failed', { reason: String(cause) }), { mark: 'fail' })
    }
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !dictation()) return
    // The key would end the answer, too.
    event.preventDefault()
    event.stopPropagation()
    stop()
  }
  document.addEventListener('keydown', onKey, true)
  onCleanup(() => {
    document.removeEventListener('keydown', onKey, true)
    dictation()?.abort()
  })
  return (
    <IconButton
      icon={dictation() ? 'player-stop' : 'microphone'}
      size="small"
      class={dictation() ? 'dictates' : ''}
      name={dictation() ? t('stop_dictating') : t('dictate')}
      onClick={() => (dictation() ? stop() : void begin())}
    />
  )
}

const soundNote = () => ({ title: t('note_title'), text: t('note_text'), action: t('note_start'), keep: t('note_cancel'), danger: false })

/** Begins to listen, until the browser or the person ends it, a silence, or a message that is sent. */
function listen(recognition: Recognition, field: HTMLTextAreaElement, onEnd: () => void): Recognition {
  const written = createDictatedText(field, () => field.dispatchEvent(new Event('input', { bubbles: true })))
  let silence: number | undefined
  const wait = (): void => {
    clearTimeout(silence)
    silence = window.setTimeout(() => recognition.stop(), silenceMs)
  }
  recognition.lang = dictationLanguage()
  recognition.continuous = true
  recognition.interimResults = true
  recognition.addEventListener('result', (event) => {
    wait()
    const results = Array.from((event as RecognitionResult).results, (result) => result[0]?.transcript ?? '')
    if (!written.hear(results)) recognition.abort()
  })
  recognition.addEventListener('error', (event) => {
    const words = reasonOf((event as Event & { readonly error: string }).error)
    if (words !== undefined) showToast(words, { mark: 'fail' })
  })
  recognition.addEventListener('end', () => {
    clearTimeout(silence)
    onEnd()
  })
  recognition.start()
  wait()
  return recognition
}

/** Why it ended, in words; nothing if the person ended it. */
function reasonOf(error: string): string | undefined {
  switch (error) {
    case 'aborted':
      return undefined
    case 'not-allowed':
    case 'service-not-allowed':
      return t('dictate_denied')
    case 'audio-capture':
      return t('dictate_no_microphone')
    case 'network':
      return t('dictate_network')
    case 'language-not-supported':
      return t('dictate_language')
    case 'no-speech':
      return t('dictate_silence')
    default:
      return t('dictate_failed', { reason: error })
  }
}
