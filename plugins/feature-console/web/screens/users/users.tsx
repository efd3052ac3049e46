import './users.css'
import type { ScreenProps } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { UserList } from './user-list.js'
import { UserPage } from './user-page.js'

/** All accounts, or one of them. */
export default function Users(props: ScreenProps): JSX.Element {
  return (
    <Show when={props.params['userId']} keyed fallback={<UserList />}>
      {(userId) => <UserPage id={userId} />}
    </Show>
  )
}
