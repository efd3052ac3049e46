import { Type } from '@agent-service/sdk'

export const seconds = (value: number, minimum: number, description: string) =>
  Type.Integer({ default: value, minimum, 'x-unit': 'seconds', description })

export const days = (value: number, description: string) => Type.Integer({ default: value, minimum: 1, 'x-unit': 'days', description })

/** An optional address of the deployment. */
export const url = (description: string) => Type.Optional(Type.String({ format: 'http-url', description }))

/** A folder; its default depends on the deployment. `noEffect`: why the setting does nothing yet. */
export const folder = (defaultPath: string, description: string, { noEffect }: { readonly noEffect?: string } = {}) =>
  Type.String({
    'x-path': true,
    'x-default-path': defaultPath,
    ...(noEffect === undefined ? {} : { 'x-no-effect': noEffect }),
    minLength: 1,
    description,
  })

/** A list of names, empty by default. */
export const names = (description: string) => Type.Array(Type.String({ minLength: 1 }), { default: [], uniqueItems: true, description })
