import { Button, CopyButton } from '@agent-service/sdk/web'
import type { JSX } from 'solid-js'
import { t } from './texts.js'

/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 20

/** A random password of over 110 bits. */
export function randomPassword(): string {
  const letters: string[] = []
  while (letters.length < length) {
    // Values that would make some letters likelier are left out.
    for (const value of crypto.getRandomValues(new Uint8Array(length * 2)))
      if (value < 256 - (256 % alphabet.length) && letters.length < length) letters.push(alphabet.charAt(value % alphabet.length))
  }
  return letters.join('')
}

/** A password to hand over, and a way to have another one made. */
export function NewPassword(props: { readonly password: string; readonly onAnother?: () => void }): JSX.Element {
  return (
    <div class="field">
      <span class="lbl">{t('password')}</span>
      <div class="users-secret">
        <code>{props.password}</code>
        {props.onAnother && (
          <Button kind="quiet" size="small" icon="refresh" onClick={() => props.onAnother?.()}>
            {t('another')}
          </Button>
        )}
        <CopyButton text={() => props.password} label={t('copy_password')} />
      </div>
      <p class="help">{t('password_help')}</p>
    </div>
  )
}
