import { createSignal, type JSX } from 'solid-js'
import { copyText } from '../core/copy-text.js'
import { Button } from './button.js'
import { announce, showToast } from './notices.js'
import { t } from './texts.js'

/** Copies a text and says so for two seconds. */
export function CopyButton(props: { readonly text: () => string; readonly label?: string }): JSX.Element {
  const [copied, setCopied] = createSignal(false)
  const copy = async (): Promise<void> => {
    try {
      await copyText(props.text())
    } catch {
      return showToast(t('copy_failed'), { mark: 'fail' })
    }
    setCopied(true)
    announce(t('copied'))
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <Button
      kind="quiet"
      size="small"
      icon={copied() ? 'check' : 'copy'}
      {...(props.label && !copied() && { label: props.label })}
      onClick={() => void copy()}
    >
      {copied() ? t('copied') : t('copy')}
    </Button>
  )
}
