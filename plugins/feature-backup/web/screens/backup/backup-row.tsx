import {
  Badge,
  Button,
  bytesText,
  confirmAction,
  confirmIdentity,
  createAction,
  errorText,
  momentText,
  placed,
  StateBadge,
  showToast,
  whenConfirmed,
  whenText,
} from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { type AnswerOf, api, invalidate } from '../../api/index.js'
import { t } from './texts.js'

export type StoredBackup = AnswerOf<'get', '/api/admin/backups'>['items'][number]

const notedTexts: Readonly<Record<string, 'noted_changing' | 'noted_too_sparse' | 'noted_unreadable'>> = {
  changing: 'noted_changing',
  too_sparse: 'noted_too_sparse',
  unreadable: 'noted_unreadable',
}

/** One backup with what can be done with it. */
export function BackupRow(props: { readonly backup: StoredBackup; readonly busy: boolean }): JSX.Element {
  const time = (): string => momentText(props.backup.created_at)

  const doing = createAction(
    async (work: () => Promise<void>) => {
      await work().catch((error: unknown) => showToast(errorText(error), { mark: 'fail' }))
      invalidate(['status'], ['backups'])
    },
    { concurrent: true },
  )
  const verify = (): Promise<unknown> =>
    doing.run(async () => {
      const found = await api.post('/api/admin/backups/{backup_id}/verify', { path: { backup_id: props.backup.id } })
      if (!found.sound) showToast(t('verified_damaged'), { mark: 'fail' })
      else if (found.proof !== 'proven') showToast(t('verified_unproven'), { mark: 'warn' })
      else showToast(t('verified_sound'), { mark: 'done' })
    })
  const remove = async (): Promise<void> => {
    const question = {
      title: t('delete_question', { time: time() }),
      text: t('delete_text'),
      action: t('delete'),
      keep: t('keep'),
      danger: true,
    }
    if (!(await confirmAction(question))) return
    await doing.run(async () => {
      const remove = () => api.delete('/api/admin/backups/{backup_id}', { path: { backup_id: props.backup.id } })
      if (await whenConfirmed(t('confirm_delete'), remove)) showToast(t('deleted'))
    })
  }
  /** The browser writes it to the disk itself, however large it is. */
  const save = async (): Promise<void> => {
    if (!(await confirmIdentity(t('confirm_download')))) return
    const link = document.createElement('a')
    link.href = placed(`/api/admin/backups/${encodeURIComponent(props.backup.id)}/content`)
    link.download = `agent-service-${props.backup.id}.tar`
    link.click()
  }
  return (
    <div class="backup-row">
      <div class="grow">
        <div class="backup-name">
          <b>{time()}</b>
          <State backup={props.backup} />
        </div>
        <p class="t2">
          {t('facts', {
            bytes: bytesText(props.backup.bytes),
            files: props.backup.files ?? 0,
            version: props.backup.service_version ?? '?',
          })}
        </p>
        <Show when={props.backup.service}>{(service) => <p class="t2">{t('made_by', { service: service() })}</p>}</Show>
        <Show when={originOf(props.backup)}>{(origin) => <p>{t(origin())}</p>}</Show>
        <Show when={props.backup.verification?.problem}>{(problem) => <p lang="en">{problem()}</p>}</Show>
        <Show when={props.backup.noted.length > 0}>
          <ul class="t2">
            <For each={props.backup.noted}>
              {({ user, path, reason }) => <li>{t(notedTexts[reason] ?? 'noted_changing', { path, user: user ?? t('whole_service') })}</li>}
            </For>
          </ul>
        </Show>
        <Show when={(props.backup.left_out ?? 0) > 0}>
          <p class="t2">{t('files_left_out', { count: props.backup.left_out ?? 0 })}</p>
        </Show>
        <Show when={(props.backup.verification?.missing ?? 0) > 0}>
          <p class="t2">{t('missing', { count: props.backup.verification?.missing ?? 0 })}</p>
        </Show>
      </div>
      <fieldset class="backup-buttons" aria-label={t('actions', { time: time() })}>
        <Button size="small" icon="shield-check" busy={doing.busy()} disabled={props.busy} onClick={() => void verify()}>
          {t('verify')}
        </Button>
        <Button size="small" icon="download" onClick={() => void save()}>
          {t('download')}
        </Button>
        <Button size="small" kind="danger" icon="trash" onClick={() => void remove()}>
          {t('delete')}
        </Button>
      </fieldset>
    </div>
  )
}

const origins = { absent: 'origin_absent', other_secret: 'origin_other_secret', public_secret: 'origin_public_secret' } as const

/** Why the origin of a backup is not proven; undefined if it is, or if that was not looked at. */
function originOf({ verification }: StoredBackup): (typeof origins)[keyof typeof origins] | undefined {
  const proof = verification?.proof
  return proof === 'absent' || proof === 'other_secret' || proof === 'public_secret' ? origins[proof] : undefined
}

function State(props: { readonly backup: StoredBackup }): JSX.Element {
  return (
    <Show when={props.backup.verification} fallback={<Badge>{t(props.backup.readable ? 'unverified' : 'damaged')}</Badge>}>
      {(found) => (
        <>
          <StateBadge mark={found().sound ? (found().proof === 'proven' ? 'done' : 'warn') : 'fail'}>
            {t(found().sound ? 'sound' : 'damaged')}
          </StateBadge>
          <Show when={found().sound}>
            <Badge>{t(found().proof === 'proven' ? 'proven' : 'unproven')}</Badge>
          </Show>
          <span class="meta">{t('plain_verified', { time: whenText(found().verified_at) })}</span>
        </>
      )}
    </Show>
  )
}
