import { describe, expect, test } from 'vitest'
import { agentIds } from '../../shared/agent.ts'
import { partsOf } from '../../shared/install-parts.ts'
import { isVersionOf, recipeOf, type InstallRecipe } from '../../shared/install-recipes.ts'

const recipes = agentIds.flatMap((agent) => recipeOf(agent) ?? [])

describe.each(recipes.map((recipe) => [recipe.agent, recipe] as const))('the recipe of %s', (agent, recipe) => {
  test('names one exact version and its whole hash', () => {
    expect(recipe.version).toMatch(/^\d+\.\d+\.\d+(?:-[a-z0-9]+)?$/)
    expect(recipe.integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    expect(Buffer.from(recipe.integrity.slice('sha512-'.length), 'base64').length).toBe(64)
  })

  test('has every part for a system pinned as exactly', () => {
    const parts = recipe.systems.flatMap((system) => partsOf(agent, system))
    for (const { spec, integrity } of parts) {
      expect(spec).toMatch(/^(?:@[a-z0-9-]+\/)?[a-z0-9-]+@\d+\.\d+\.\d+(?:-[a-z0-9-]+)?$/)
      expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    }
  })

  test('names a package, and nothing that npm could take for anything else', () => {
    expect(recipe.package).toMatch(/^(?:@[a-z0-9-]+\/)?[a-z0-9-]+$/)
    expect(recipe.agent).toBe(agent)
  })
})

test('nine agents can be installed, each from another package', () => {
  expect(new Set(recipes.map((recipe) => recipe.package)).size).toBe(9)
  expect(new Set(recipes.map(({ integrity }) => integrity)).size).toBe(9)
})

test.each(['codex', 'claude', 'opencode', 'copilot', 'amp'] as const)(
  'the program of %s comes as a part, and is pinned wherever it can be installed',
  (agent) => {
    const systems = recipeOf(agent)?.systems ?? []
    expect(systems.filter((system) => !partsOf(agent, system).some((part) => part.system === system))).toEqual([])
  },
)

test.each(['hermes', 'rehearsal:bold', 'custom:my-tool'] as const)('%s has no recipe', (agent) => {
  expect(recipeOf(agent)).toBeNull()
})

test.each([
  ['1.2.3', '1.2.3', true],
  ['1.2.3', '1.2.30', false],
  ['1.2.30', '1.2.3', false],
  ['1.2.3', '1.2.3-beta', false],
  ['0.0.17-g7618fb', '0.0.17', true],
  ['0.0.17-g7618fb', '0.0.1', false],
  ['1.2.3', null, false],
])('where %s was installed, a program that says %s is the one: %s', (version, said, is) => {
  expect(isVersionOf({ version } as InstallRecipe, said)).toBe(is)
})
