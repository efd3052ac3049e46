import { canReadAloud, chosenRate, language, locale, numberText, recognitionOf, SelectField } from '@agent-service/sdk/web'
import {
  chooseDictation,
  chooseRate,
  chooseVoice,
  chosenDictation,
  chosenVoice,
  languageOf,
  type Rate,
  rates,
} from '@agent-service/sdk/web/host'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { t } from './texts.js'

/** The languages that browsers commonly recognise, next to those that the browser itself prefers. */
const dictated = ['de-AT', 'de-CH', 'de-DE', 'en-GB', 'en-US', 'es-ES', 'fr-FR', 'it-IT', 'nl-NL', 'pl-PL', 'pt-BR', 'tr-TR']

/** The voice that reads, its speed, and the language of dictations. Only what the browser can do. */
export function SpeechPart(): JSX.Element {
  return (
    <Show when={canReadAloud() || recognitionOf()}>
      <section class="profile-part">
        <h2 class="h3">{t('speech')}</h2>
        <p class="help profile-lead">{t('speech_help')}</p>
        <Show when={canReadAloud()}>
          <VoiceFields />
        </Show>
        <Show when={recognitionOf()}>
          <DictationField />
        </Show>
      </section>
    </Show>
  )
}

function VoiceFields(): JSX.Element {
  const [voice, setVoice] = createSignal(chosenVoice())
  const [rate, setRate] = createSignal<Rate>(chosenRate())
  const [voices, setVoices] = createSignal(speechSynthesis.getVoices())
  // Browsers may find their voices only later.
  const take = (): void => void setVoices(speechSynthesis.getVoices())
  speechSynthesis.addEventListener('voiceschanged', take)
  onCleanup(() => speechSynthesis.removeEventListener('voiceschanged', take))
  const choices = () => {
    const isOwn = ({ lang }: SpeechSynthesisVoice): boolean => languageOf(lang) === language()
    const all = [...voices()].sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
    return [
      { value: '', label: t('voice_by_language') },
      ...all.map(({ voiceURI, name, lang }) => ({ value: voiceURI, label: `${name} (${languageName(lang)})` })),
    ]
  }
  return (
    <>
      <SelectField
        label={t('voice')}
        value={voice()}
        onInput={(address) => {
          chooseVoice(address)
          setVoice(address)
        }}
        choices={choices()}
        help={t('voice_help')}
      />
      <SelectField<Rate>
        label={t('speed')}
        value={rate()}
        onInput={(chosen) => {
          chooseRate(chosen)
          setRate(chosen)
        }}
        choices={rates.map((value) => ({ value, label: `${numberText(Number(value))}×` }))}
      />
    </>
  )
}

function DictationField(): JSX.Element {
  const [tag, setTag] = createSignal(chosenDictation())
  const tags = (): readonly string[] =>
    [...new Set([...navigator.languages.filter((each) => each.includes('-')), ...dictated])].sort((one, other) =>
      languageName(one).localeCompare(languageName(other), locale()),
    )
  return (
    <SelectField
      label={t('dictation_language')}
      value={tag()}
      onInput={(chosen) => {
        chooseDictation(chosen)
        setTag(chosen)
      }}
      choices={[{ value: '', label: t('dictation_as_console') }, ...tags().map((value) => ({ value, label: languageName(value) }))]}
    />
  )
}

/** `German (Austria)`; the tag itself if it is none. */
function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([locale()], { type: 'language', languageDisplay: 'standard' }).of(tag.replace('_', '-')) ?? tag
  } catch {
    return tag
  }
}
