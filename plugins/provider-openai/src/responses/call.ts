import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callModel, endpointUrl, type Refusal } from '@agent-service/sdk/provider-kit'
import type { CallMeans } from '../connection/call-means.js'
import { failureSigns } from '../connection/failure-signs.js'
import { openConnection } from '../connection/open-connection.js'
import { fieldRefused, type OmissibleFields } from '../connection/refused-fields.js'
import { toolNamesOf } from '../connection/tool-names.js'
import { accountAddress, accountHeaders } from './account-endpoint.js'
import { createResponsesAssembler } from './assemble-answer.js'
import { buildResponsesBody, isAskedFor } from './build-request.js'
import { opaqueVendor } from './opaque-items.js'
import { readResponsesQuirks } from './quirks.js'

/**
 * One call of the responses protocol. Ends the upstream request when the signal is aborted or the
 * iteration is left.
 */
export function callResponses(request: ModelRequest, means: CallMeans): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal, client, refusedFields } = means
  const { connection, model } = request
  const quirks = readResponsesQuirks(connection.quirks)
  const opened = openConnection(request, quirks, means.copilotTokens)
  const names = toolNamesOf(request)
  const place = `${connection.baseUrl} ${model} responses`
  let withoutOpaque = false
  return callModel(request, {
    signal,
    client,
    signs: failureSigns,
    secrets: opened.secrets,
    async prepare(signal) {
      const { baseUrl, headers } = await opened.reach(signal)
      const { accountId } = connection
      return {
        url: endpointUrl(accountId === undefined ? baseUrl : accountAddress(baseUrl), quirks.path, quirks.query),
        headers: accountId === undefined ? headers : { ...accountHeaders(accountId), ...headers },
        body: JSON.stringify(buildResponsesBody(request, { quirks, names, refused: refusedFields.of(place), withoutOpaque })),
      }
    },
    createAssembler: () => createResponsesAssembler({ vendor: opaqueVendor(connection.brand, model), request, names }),
    mend(refusal) {
      if (opened.renew(refusal)) return true
      if (isUnreadable(refusal) && !withoutOpaque) {
        withoutOpaque = true
        return true
      }
      const field = fieldAbout(refusal, request)
      return field !== undefined && refusedFields.add(place, field)
    },
  })
}

/**
 * True if the returned reasoning was encrypted for another organisation or region of the same
 * brand.
 */
const isUnreadable = ({ status, text }: Refusal): boolean =>
  status === 400 && /invalid_encrypted_content|encrypted content .{0,4000}could not be (verified|decrypted)/is.test(text)

/** What may be left out of the body: only fields that the caller did not set. */
function fieldAbout(refusal: Refusal, request: ModelRequest): string | undefined {
  const fields = hints.filter((field) => !isAskedFor(field, request))
  if (fields.includes('include') && /encrypted[ _]content/i.test(refusal.text))
    return fieldRefused({ ...refusal, text: `include: ${unquoted(refusal.text)}` }, encrypted)
  return fieldRefused(refusal, { hints: fields, unknown: [] })
}

/** The error of models that do not reason does not name the field. */
const encrypted: OmissibleFields = { hints: ['include'], unknown: [] }
const hints = ['reasoning.summary', 'include', 'text.format.strict', 'reasoning']

/** Makes the kit read the body as text. */
const unquoted = (text: string): string => text.replaceAll(/[{}"]/g, ' ')
