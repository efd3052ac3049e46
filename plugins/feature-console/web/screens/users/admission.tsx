import {
  Badge,
  Button,
  confirmAction,
  createAction,
  Failure,
  minuteText,
  pageQuery,
  readAll,
  showToast,
  whenText,
  whileVisible,
} from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { api, createQuery, invalidate, type Schemas } from '../../api/index.js'
import { t } from './admission-texts.js'

type Person = Schemas['AccountRequest']
type Invitation = Schemas['Invitation']

const everyMs = 10_000

/** People who wait for an admin, and invitations that nobody has used yet. Read again every ten seconds. */
export function Admission(): JSX.Element {
  const admission = createQuery({ key: () => ['admission'], read: readAdmission })
  whileVisible(everyMs, () => void admission.reload())
  const deciding = createAction(
    async (decide: () => Promise<unknown>, message: string) => {
      await decide()
      showToast(message)
    },
    { concurrent: true },
  )
  const attempt = async (decide: () => Promise<unknown>, message: string): Promise<void> => {
    await deciding.run(decide, message)
    // Also after a failure: somebody else may have decided.
    invalidate(['admission'])
  }
  const approve = ({ id, username: name }: Person): Promise<void> =>
    attempt(
      async () => {
        await api.post('/api/admin/account-requests/{request_id}/approve', { path: { request_id: id } })
        invalidate(['users'])
      },
      t('approved', { name }),
    )
  const refuse = async ({ id, username: name }: Person): Promise<void> => {
    if (!(await confirmAction({ title: t('refuse_question', { name }), text: t('refuse_text'), action: t('refuse') }))) return
    await attempt(() => api.delete('/api/admin/account-requests/{request_id}', { path: { request_id: id } }), t('refused', { name }))
  }
  const revoke = ({ id }: Invitation): Promise<void> =>
    attempt(() => api.delete('/api/admin/invitations/{invitation_id}', { path: { invitation_id: id } }), t('revoked'))
  return (
    <>
      <Show when={deciding.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={admission.value()?.people.length}>
        <WaitingPeople
          people={admission.value()?.people ?? []}
          onApprove={(person) => void approve(person)}
          onRefuse={(person) => void refuse(person)}
        />
      </Show>
      <Show when={admission.value()?.invitations.length}>
        <OpenInvitations invitations={admission.value()?.invitations ?? []} onRevoke={(invitation) => void revoke(invitation)} />
      </Show>
    </>
  )
}

async function readAdmission(signal: AbortSignal) {
  const [people, invitations] = await Promise.all([
    readAll((cursor) => api.get('/api/admin/account-requests', { query: pageQuery(cursor), signal })),
    readAll((cursor) => api.get('/api/admin/invitations', { query: pageQuery(cursor), signal })),
  ])
  return { people, invitations: invitations.filter(({ state }) => state === 'open') }
}

function WaitingPeople(props: {
  readonly people: readonly Person[]
  readonly onApprove: (person: Person) => void
  readonly onRefuse: (person: Person) => void
}): JSX.Element {
  return (
    <section class="users-part" aria-labelledby="users-waiting">
      <h2 id="users-waiting">{t('ask_title')}</h2>
      <p class="users-say">{t('ask_lead')}</p>
      <ul class="rows">
        <For each={props.people}>
          {(person) => (
            <li>
              <Row
                title={person.username}
                facts={[person.name, person.email, person.issuer, t('asked', { time: whenText(person.created_at) })]}
              >
                <Button kind="quiet" label={t('refuse_action', { name: person.username })} onClick={() => props.onRefuse(person)}>
                  {t('refuse')}
                </Button>
                <Button label={t('approve_action', { name: person.username })} onClick={() => props.onApprove(person)}>
                  {t('approve')}
                </Button>
              </Row>
            </li>
          )}
        </For>
      </ul>
    </section>
  )
}

function OpenInvitations(props: {
  readonly invitations: readonly Invitation[]
  readonly onRevoke: (invitation: Invitation) => void
}): JSX.Element {
  return (
    <section class="users-part" aria-labelledby="users-invitations">
      <h2 id="users-invitations">{t('open_title')}</h2>
      <ul class="rows">
        <For each={props.invitations}>
          {(invitation) => (
            <li>
              <Row title={titleOf(invitation)} facts={factsOf(invitation)} isAdmin={invitation.role === 'admin'}>
                <Button kind="quiet" label={t('revoke_action', { name: titleOf(invitation) })} onClick={() => props.onRevoke(invitation)}>
                  {t('revoke')}
                </Button>
              </Row>
            </li>
          )}
        </For>
      </ul>
    </section>
  )
}

function Row(props: {
  readonly title: string
  readonly facts: readonly (string | null)[]
  readonly isAdmin?: boolean
  readonly children: JSX.Element
}): JSX.Element {
  return (
    <div class="item users-item">
      <span class="grow users-words">
        <span class="row users-name">
          <b>
            <bdi>{props.title}</bdi>
          </b>
          <Show when={props.isAdmin}>
            <Badge tone="accent">{t('role_admin')}</Badge>
          </Show>
        </span>
        <span class="sub">{props.facts.filter((fact) => fact !== null).join(' · ')}</span>
      </span>
      <span class="row">{props.children}</span>
    </div>
  )
}

const titleOf = ({ name, email }: Invitation): string => name ?? email ?? t('for_anyone')

const factsOf = ({ name, email, uses, max_uses: max, made_by: maker, expires_at: end }: Invitation) => [
  name === null ? null : email,
  max > 1 ? t('uses_of', { uses, max }) : null,
  maker === null ? null : t('made_by', { name: maker }),
  t('expires', { time: minuteText(end) }),
]
