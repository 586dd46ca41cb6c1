/* What is used of graphql-request. The build puts it here as one file, without the rest of the language's reference implementation. */
export { GraphQLClient } from "graphql-request";
