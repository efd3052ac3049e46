import './users.css'
import { Routes, route } from '@agent-service/sdk/web'
import type { JSX } from 'solid-js'
import { UserList } from './user-list.js'
import { UserPage } from './user-page.js'

/** All accounts, or one of them. */
export default function Users(): JSX.Element {
  return <Routes of={[route('/admin/users', () => <UserList />), route('/admin/users/:id', ({ id }) => <UserPage id={id} />)]} />
}
