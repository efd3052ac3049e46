/** The file that defines what policies can refer to. */
export const schemaName = 'schema.cedarschema'
