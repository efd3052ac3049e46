import { defineError } from '@agent-service/sdk'
import type { DisposableScope } from '@agent-service/sdk/host'
import type { WebInterface, WebPages } from '@agent-service/sdk/services/web-pages'
import type { InjectionToken } from 'tsyringe'

/** Two plugins offered a web interface. */
export const webInterfaceTakenError = defineError<{ readonly owner: string }>({
  code: 'web_interface_taken',
  status: 409,
  title: 'Web interface already present',
  message: ({ owner }) => `The plugin “${owner}” already serves the web interface. Disable one of the two.`,
})

/** The web interface of the plugin that has one. */
export interface WebInterfaces {
  /** Absent while no plugin serves one. */
  current(): WebInterface | undefined
  /** The service of one plugin; what it serves ends with its scope. */
  serviceOf(pluginId: string, scope: DisposableScope): WebPages
}

export const webInterfacesToken: InjectionToken<WebInterfaces> = Symbol('web-interfaces')

/** Makes the register of web interfaces, of which one is served at a time. */
export function createWebInterfaces(): WebInterfaces {
  let served: { readonly owner: string; readonly webInterface: WebInterface } | undefined
  return {
    current: () => served?.webInterface,
    serviceOf: (owner, scope) => ({
      serve(webInterface) {
        if (served) throw webInterfaceTakenError.create({ owner: served.owner })
        const entry = { owner, webInterface }
        served = entry
        scope.add('web interface', () => {
          if (served === entry) served = undefined
        })
      },
    }),
  }
}
