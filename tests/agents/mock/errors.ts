/** What providers say beside a status: some agents pass on nothing else. */
export const errorMessage = (status: number): string => messages[status] ?? 'The server had an error.'

export const errorTypes: Readonly<Record<number, string | undefined>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
}

const messages: Readonly<Record<number, string | undefined>> = {
  401: 'Incorrect API key provided: sk-mo***.',
  403: 'This account may not use this model.',
  429: 'Rate limit reached for this model.',
}
