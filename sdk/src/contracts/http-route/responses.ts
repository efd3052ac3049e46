import type { JsonValue } from '../../core/json.js'
import type { RouteResponse } from './route.js'

/** 200 with a JSON body. */
export const ok = (json: JsonValue): RouteResponse => ({ status: 200, kind: 'json', json })
/** 201 with the created object. */
export const created = (json: JsonValue): RouteResponse => ({ status: 201, kind: 'json', json })
/** 202 with a JSON body: the work continues. */
export const accepted = (json: JsonValue): RouteResponse => ({ status: 202, kind: 'json', json })
/** 204. */
export const noContent = (): RouteResponse => ({ status: 204, kind: 'empty' })
