import { type NamedAgent, type Query, readAgents } from '@agent-service/sdk/web'
import { createQuery, invalidate } from '../../api/index.js'
import { type Channel, type ChannelApi, readKinds } from './channel-api.js'

/** The kinds of channels. Forms are made of them, which stay as they are while somebody types. */
export const createKinds = (): Query<readonly Channel[]> => createQuery({ key: () => ['kinds'], read: readKinds, follow: false })

/** The agents of the person, who answer over their own connections; none for shared ones. */
export const createAgents = ({ isShared }: Pick<ChannelApi, 'isShared'>): Query<readonly NamedAgent[]> =>
  createQuery({ key: () => (isShared ? undefined : ['agents']), read: readAgents })

/** Reads again what is shown of a connection: administrators get no events of all that they change. */
export const readAgain = (id: string): void => invalidate(['connections'], ['connection', id], ['people', id], ['sent', id])
