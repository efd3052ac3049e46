import { copyText, IconButton, showToast, commonText as ui } from '@agent-service/sdk/web'
import { createSignal, type JSX } from 'solid-js'
import { t } from './texts.js'

/** Copies a text, and shows for a moment that it did. */
export function CopyIcon(props: { readonly text: () => string }): JSX.Element {
  const [copied, setCopied] = createSignal(false)
  const copy = async (): Promise<void> => {
    try {
      await copyText(props.text())
    } catch {
      return showToast(ui('copy_failed'), { mark: 'fail' })
    }
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return <IconButton icon={copied() ? 'check' : 'copy'} size="small" name={t('copy')} onClick={() => void copy()} />
}
