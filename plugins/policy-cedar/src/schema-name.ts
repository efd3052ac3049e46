/** The file that says what policies can speak of. */
export const schemaName = 'schema.cedarschema'
