import { expect, test } from 'vitest';
import { createRequestGate, penaltyMs } from '#lib/airtable/request-gate.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

test('five requests start at once, the sixth waits for a little more than a second', () => {
  const clock = createFakeClock();
  const gate = createRequestGate(clock.now);
  for (let request = 0; request < 5; request++) expect(gate.take()).toBe(0);
  const waitMs = gate.take();
  expect(waitMs).toBeGreaterThan(1000);
  clock.move(waitMs);
  expect(gate.take()).toBe(0);
});

test('in no second do more than five requests start, however long one waits in between', () => {
  const clock = createFakeClock();
  const gate = createRequestGate(clock.now);
  const started: number[] = [];
  for (let step = 0; step < 500; step++) {
    const waitMs = gate.take();
    if (waitMs === 0) started.push(clock.now());
    else clock.move(waitMs);
    clock.move((step * 37) % 120);
  }
  for (const time of started) {
    expect(
      started.filter((other) => other >= time && other < time + 1000).length,
    ).toBeLessThanOrEqual(5);
  }
  expect(started.length).toBeGreaterThan(100);
});

test('a gate that is shut opens again when its time has come', () => {
  const clock = createFakeClock();
  const gate = createRequestGate(clock.now);
  gate.shut(penaltyMs);
  expect(gate.shutForMs()).toBe(penaltyMs);
  clock.move(penaltyMs - 1);
  expect(gate.shutForMs()).toBe(1);
  clock.move(1);
  expect(gate.shutForMs()).toBe(0);
});

test('shutting for less does not open a gate sooner', () => {
  const clock = createFakeClock();
  const gate = createRequestGate(clock.now);
  gate.shut(60_000);
  gate.shut(10_000);
  expect(gate.shutForMs()).toBe(60_000);
});

test('a clock that was set back by a day does not keep the gate shut for a day', () => {
  const clock = createFakeClock();
  const gate = createRequestGate(clock.now);
  gate.shut(penaltyMs);
  clock.move(-86_400_000);
  gate.shutForMs();
  clock.move(20 * penaltyMs + 1);
  expect(gate.shutForMs()).toBe(0);
});

test('a clock that was set back does not keep calls from going on', () => {
  const clock = createFakeClock();
  const gate = createRequestGate(clock.now);
  for (let request = 0; request < 5; request++) gate.take();
  clock.move(-86_400_000);
  expect(gate.take()).toBe(0);
});

test('whatever the upstream asks for, the gate opens again within ten minutes', () => {
  const clock = createFakeClock();
  const gate = createRequestGate(clock.now);
  gate.shut(99_999_000);
  clock.move(600_001);
  expect(gate.shutForMs()).toBe(0);
});
