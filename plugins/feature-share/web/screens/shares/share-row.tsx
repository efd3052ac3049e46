import { Badge, Button, dayTimeText, Icon } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Schemas } from '../../api/index.js'
import { t } from './texts.js'

type Share = Schemas['Share']

export const shareTitle = ({ kind, title }: Pick<Share, 'kind' | 'title'>): string => title || (kind === 'chat' ? t('untitled') : t('file'))

/** One link: where it leads, its end, its uses, and how to revoke it. */
export function ShareRow(props: { readonly share: Share; readonly onRevoke: () => void }): JSX.Element {
  return (
    <div class="shares-row">
      <Icon name={props.share.kind === 'file' ? 'file-text' : 'message'} />
      <div class="shares-words">
        <span class="shares-name">
          <bdi>{shareTitle(props.share)}</bdi>
        </span>
        <p class="shares-sub">
          <Show when={props.share.path} fallback={<span>{t('snapshot', { when: dayTimeText(props.share.created_at) })}</span>}>
            {(path) => (
              <span>
                <bdi>{path()}</bdi>
              </span>
            )}
          </Show>
          <Show when={props.share.created_by === 'agent'}>
            <Badge tone="line">{t('by_agent')}</Badge>
          </Show>
          <Show when={props.share.created_by === 'service'}>
            <Badge tone="line">{t('by_service')}</Badge>
          </Show>
        </p>
        <p class="shares-sub">
          <span>{props.share.expired ? t('expired') : t('until', { when: dayTimeText(props.share.expires_at) })}</span>
          <span>{t('uses', { count: props.share.uses })}</span>
        </p>
      </div>
      <Button
        size="small"
        kind="quiet"
        icon="trash"
        label={t(props.share.expired ? 'remove_of' : 'revoke_of', { name: shareTitle(props.share) })}
        onClick={() => props.onRevoke()}
      >
        {props.share.expired ? t('remove') : t('revoke')}
      </Button>
    </div>
  )
}
