import {
  agentName,
  Button,
  confirmAction,
  createAction,
  Failure,
  Icon,
  MenuButton,
  type MenuItem,
  momentText,
  type NamedAgent,
  navigate,
  showToast,
  whenText,
} from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import type { Credential, Source } from '../../credentials/source.js'
import { t as shared } from '../../credentials/texts.js'
import { t } from './common/texts.js'
import { VaultBadge } from './common/vault-badge.js'

/** One credential: its fields without values, who may use it, and what can be done with it. */
export function CredentialRow(props: {
  readonly source: Source
  readonly agents: readonly NamedAgent[]
  readonly onOpen: (what: 'grant' | 'replace' | 'edit') => void
}): JSX.Element {
  const title = (): string => props.source.title
  const agents = (): readonly string[] => [
    ...new Set(
      props.source.grants.map((grant) =>
        agentName(props.agents.find(({ id }) => id === grant.agent_id)?.name ?? grant.agent ?? t('log_agent_gone')),
      ),
    ),
  ]
  const change = createAction((work: () => Promise<void>) => work(), { concurrent: true })
  const remove = async (credential: Credential): Promise<void> => {
    const isSure = await confirmAction({
      title: t('delete_question', { title: title() }),
      text: agents().length === 0 ? t('delete_none') : t('delete_grants', { agents: agents().join(', ') }),
      action: t('delete'),
      keep: t('keep'),
    })
    if (!isSure) return
    await change.run(async () => {
      await api.delete('/api/credentials/{credential_id}', { path: { credential_id: credential.id } })
      showToast(t('deleted', { title: title() }))
    })
  }
  const revokeAll = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('revoke_all_question', { title: title() }),
      text: t('delete_grants', { agents: agents().join(', ') }),
      action: t('revoke'),
      keep: t('keep'),
    })
    if (!isSure) return
    await change.run(async () => {
      for (const { id } of props.source.grants) await api.delete('/api/credentials/grants/{grant_id}', { path: { grant_id: id } })
      showToast(t('revoked_all', { title: title() }))
    })
  }
  const items = (): readonly MenuItem[] => {
    const { credential, source } = props.source
    return [
      ...(credential
        ? [
            { label: t('replace'), icon: 'refresh' as const, run: () => props.onOpen('replace') },
            { label: t('edit'), icon: 'pencil' as const, run: () => props.onOpen('edit') },
          ]
        : []),
      ...(source.kind === 'vault' && props.source.vault !== null
        ? [{ label: t('open_vault'), icon: 'lock' as const, run: () => void navigate(`/vaults/${source.vault_id}`) }]
        : []),
      ...(props.source.grants.length > 0
        ? [{ label: t('revoke_all'), icon: 'x' as const, danger: true, run: () => void revokeAll() }]
        : []),
      ...(credential ? [{ label: t('delete'), icon: 'trash' as const, danger: true, run: () => void remove(credential) }] : []),
    ]
  }
  const named = (isSecret: boolean): string =>
    props.source.fields
      .filter(({ secret = true }) => secret === isSecret)
      .map(({ name }) => name)
      .join(', ')
  const open = (): string =>
    (props.source.credential?.fields ?? [])
      .filter(({ secret }) => !secret)
      .map(({ name, value }) => (value === null ? name : `${name} (${value})`))
      .join(', ')
  return (
    <div class="credentials-row">
      <Icon name={props.source.credential ? 'key' : 'lock'} />
      <div class="credentials-words">
        <span class="credentials-name">
          <bdi class="key">{title()}</bdi>
          <Show when={props.source.name}>{(name) => <code>{name()}</code>}</Show>
          <VaultBadge source={props.source} />
        </span>
        <p class="credentials-sub">
          <Show when={named(true)}>{(fields) => <span>{t('fields_secret', { fields: fields() })}</span>}</Show>
          <Show when={open() || named(false)}>{(fields) => <bdi>{t('fields_open', { fields: fields() })}</bdi>}</Show>
          <Show when={props.source.credential}>
            {(credential) => (
              <span title={momentText(credential().values_changed_at)}>
                {t('values_changed', { when: whenText(credential().values_changed_at) })}
              </span>
            )}
          </Show>
        </p>
        <p class="credentials-sub">
          <Show when={agents().length > 0} fallback={<span>{t('agents_of', { count: 0 })}</span>}>
            <a href="/credentials/grants" title={agents().join(', ')}>
              {t('agents_of', { count: agents().length })}
            </a>
          </Show>
        </p>
        <Show when={change.failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
      <Button
        size="small"
        disabled={props.agents.length === 0 || props.source.vault === null}
        label={t('grant_action', { title: title() })}
        onClick={() => props.onOpen('grant')}
      >
        {shared('grant')}
      </Button>
      <MenuButton name={t('actions_for', { title: title() })} size="small" items={items()} />
    </div>
  )
}
