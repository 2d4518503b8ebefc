import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MountedRoute, RouteFinder } from '../../src/gateway/http/routing.ts';

const LENGTH_MAX = 100;

/** Only the fields that a finder reads. */
const mounted = (id: string, method: string, path: string): MountedRoute =>
  ({ route: { id, method }, path }) as unknown as MountedRoute;

const idOf = (finder: RouteFinder, method: string, url: string): string | undefined =>
  finder.find(method, url)?.mounted.route.id;

test('several finders of the same paths, used in sequence or interleaved, each find their own routes', () => {
  const listOf = (world: string) => [
    mounted(`${world}-list`, 'GET', '/orders'),
    mounted(`${world}-place`, 'POST', '/orders'),
    mounted(`${world}-one`, 'GET', '/orders/:id'),
  ];
  const [first, second] = ['first', 'second'].map((world) => new RouteFinder(listOf(world), LENGTH_MAX)) as [
    RouteFinder,
    RouteFinder,
  ];
  for (const [world, finder] of [
    ['first', first],
    ['second', second],
    ['first', first],
  ] as const) {
    assert.equal(idOf(finder, 'GET', '/orders'), `${world}-list`);
    assert.equal(idOf(finder, 'POST', '/orders'), `${world}-place`);
    assert.equal(finder.find('GET', '/orders/7')?.params['id'], '7');
  }
});

test('other paths, another order or another length make another tree', () => {
  const one = [mounted('a', 'GET', '/a'), mounted('b', 'GET', '/b/:x')];
  const finder = new RouteFinder(one, LENGTH_MAX);
  const turned = new RouteFinder(one.toReversed(), LENGTH_MAX);
  const more = new RouteFinder([...one, mounted('c', 'GET', '/c')], LENGTH_MAX);
  const short = new RouteFinder(one, 3);
  for (const each of [finder, turned, more]) {
    assert.equal(idOf(each, 'GET', '/a'), 'a');
    assert.equal(idOf(each, 'GET', '/b/long'), 'b');
  }
  assert.equal(idOf(short, 'GET', '/b/long'), undefined);
  assert.equal(idOf(finder, 'GET', '/c'), undefined);
  assert.equal(idOf(more, 'GET', '/c'), 'c');
});
