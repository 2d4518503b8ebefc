/** Short notification tones, synthesised by the browser without audio files. */

/** Frequencies in hertz, played in sequence. */
const TONES = { done: [660, 880], refused: [220], unsure: [330, 330] } as const;
const TONE_SECONDS = 0.09;
const LOUDNESS = 0.08;

let context: AudioContext | undefined;

export function play(kind: keyof typeof TONES): void {
  context ??= new AudioContext();
  // Browsers block audio until the user interacts with the page.
  void context.resume().catch(() => undefined);
  for (const [at, frequency] of TONES[kind].entries()) {
    const start = context.currentTime + at * TONE_SECONDS;
    const tone = new OscillatorNode(context, { frequency });
    const gain = new GainNode(context, { gain: LOUDNESS });
    gain.gain.setTargetAtTime(0, start + TONE_SECONDS * 0.6, 0.02);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
}
