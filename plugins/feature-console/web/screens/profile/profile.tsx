import './profile.css'
import { currentProfile, errorText, language, Page, Segments, SelectField, showToast, theme } from '@agent-service/sdk/web'
import { chooseLanguage, chooseTheme, type Language, languages, reloadProfile, type Theme, themes } from '@agent-service/sdk/web/host'
import { type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { ConfirmEmail } from './confirm-email.js'
import { ExportPart } from './export-part.js'
import { PasswordForm } from './password-form.js'
import { PersonForm } from './person-form.js'
import { SpeechPart } from './speech-part.js'
import { t } from './texts.js'

/** The person's own account, and how the console looks on this device. */
export default function Profile(): JSX.Element {
  return (
    <Page form title={t('title')} lead={t('lead')}>
      <Show when={currentProfile()} keyed={false}>
        {(profile) => <PersonForm profile={profile()} />}
      </Show>
      <Show when={currentProfile()?.email_verified === false && currentProfile()?.email}>
        {(email) => <ConfirmEmail email={email()} />}
      </Show>
      <PasswordForm />
      <section class="profile-part">
        <h2 class="h3">{t('appearance')}</h2>
        <p class="help profile-lead">{t('appearance_help')}</p>
        <SelectField<Language>
          label={t('language')}
          help={t('language_help')}
          value={language()}
          onInput={(next) => {
            chooseLanguage(next)
            void keepLanguage(next)
          }}
          choices={(Object.keys(languages) as Language[]).map((value) => ({ value, label: languages[value] }))}
        />
        <p class="lbl profile-label">{t('theme')}</p>
        <Segments<Theme>
          label={t('theme')}
          value={theme()}
          onInput={chooseTheme}
          choices={themes.map((value) => ({ value, label: t(`theme_${value}`) }))}
        />
      </section>
      <SpeechPart />
      <ExportPart />
    </Page>
  )
}

/** The service writes to the person in the same language. */
async function keepLanguage(next: Language): Promise<void> {
  try {
    await api.patch('/api/auth/me', { body: { language: next } })
    await reloadProfile()
  } catch (error) {
    showToast(errorText(error), { mark: 'fail' })
  }
}
