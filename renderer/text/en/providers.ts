import type { ProviderTest } from '../../../shared/provider.ts'

/** The words of provider profiles. */
export const providers = {
  providers: {
    title: 'Provider',
    about: (agent: string) =>
      `Where ${agent} gets its model from. A key goes to this agent’s own process and nowhere else.`,
    list: (agent: string) => `Providers of ${agent}`,
    ownLogin: 'Its own login',
    ownLoginText: (agent: string) => `${agent} works with what you have set up in it.`,
    inUse: 'in use',
    choose: 'Use',
    chooseOf: (name: string) => `Use ${name}`,
    test: 'Test',
    testOf: (name: string) => `Test ${name}`,
    testing: 'Asking…',
    edit: (name: string) => `Change ${name}`,
    remove: (name: string) => `Remove ${name}`,
    removeAsk: (name: string) => `Remove “${name}”?`,
    removeText: 'Its key is deleted with it. Where the agent works with it now, its own login comes back.',
    removeDo: 'Remove',
    add: 'Add a provider',
    ownModel: 'model: the agent’s choice',
    keyKept: 'key kept',
    noKey: 'no key',
    keyUnreadable: 'key cannot be read',
    keyUnreadableText: 'The system could not give this key back. Give it again, or remove the profile.',
    unkept: 'Keys cannot be kept in this window',
    unkeptText:
      'Nothing here protects a key, and Parley never writes one in plain text. ' +
      'The desktop window keeps keys in your system’s keyring. A provider without a key can be added here too.',
    form: {
      add: (agent: string) => `A new provider for ${agent}`,
      change: (name: string) => `Change ${name}`,
      preset: 'Known',
      custom: 'Another address',
      name: 'Name',
      namePlaceholder: 'As you want to call it',
      address: 'Address',
      addressHint: 'https, or http on this computer',
      model: 'Model',
      modelNeeded: 'needed',
      modelOptional: 'the agent’s choice if empty',
      key: 'Key',
      keyEmpty: 'none if empty',
      keyKeep: 'kept; stays if empty',
      keyText: 'It is shown to nobody again, not even to you.',
      forget: 'Forget the kept key',
      save: 'Save',
    },
    answers: {
      ok: (model: string | null) => (model === null ? 'It answers, and lists its models.' : `${model} answers.`),
      unauthorized: () => 'It refused the key.',
      forbidden: () => 'The key is known, and may not do this.',
      notFound: (model: string | null) =>
        model === null ? 'There is nothing at this address.' : `There is no ${model} at this address.`,
      rateLimited: () => 'It answers, and asks for a pause: too many requests, or no credit.',
      redirected: () => 'It sends us on to another address. Give that one, if you trust it.',
      unreachable: () => 'Nobody answers at this address.',
      late: () => 'No answer came in time.',
      tooLarge: () => 'It answered with more than fits. This is hardly the right address.',
      unreadable: () => 'It answered something that no provider of this kind says.',
      other: () => 'It answered with something else.',
    } satisfies Record<ProviderTest['outcome'], (model: string | null) => string> as Record<
      ProviderTest['outcome'],
      (model: string | null) => string
    >,
    status: (status: number) => `Status ${status}`,
  },
}
