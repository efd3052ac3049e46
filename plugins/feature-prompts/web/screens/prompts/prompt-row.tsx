import { Badge, isAdmin, MenuButton, type MenuItem } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Schemas } from '../../api/index.js'
import { t } from './texts.js'

/** One prompt: its command, title and beginning, whose it is, and what can be done. */
export function PromptRow(props: {
  readonly prompt: Schemas['ListedPrompt']
  readonly onEdit: () => void
  readonly onCopy: () => void
  readonly onDelete: () => void
  readonly onTakeBack: () => void
}): JSX.Element {
  const items = (): readonly MenuItem[] =>
    props.prompt.own
      ? [
          { label: t('edit'), icon: 'pencil', run: props.onEdit },
          { label: t('delete'), icon: 'trash', danger: true, run: props.onDelete },
        ]
      : [
          { label: t('use_copy'), icon: 'copy', run: props.onCopy },
          ...(isAdmin() ? [{ label: t('take_back'), icon: 'x', danger: true, run: props.onTakeBack } as const] : []),
        ]
  return (
    <div class="prompts-row">
      <div class="prompts-words">
        <span class="prompts-name">
          <bdi class="mono">/{props.prompt.command}</bdi>
          <bdi>{props.prompt.title}</bdi>
          <Show when={props.prompt.own && props.prompt.shared === 'everyone'}>{<Badge tone="line">{t('everyone')}</Badge>}</Show>
          <Show when={!props.prompt.own}>
            <Badge tone="line">{props.prompt.owner === null ? t('shared') : t('shared_by', { name: props.prompt.owner })}</Badge>
          </Show>
          <Show when={props.prompt.shadowed}>{<Badge tone="line">{t('shadowed')}</Badge>}</Show>
        </span>
        <bdi class="prompts-excerpt">{props.prompt.excerpt}</bdi>
      </div>
      <MenuButton name={t('menu', { command: props.prompt.command })} items={items()} />
    </div>
  )
}
