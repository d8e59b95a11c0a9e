// A soft click, as of a piece on a board: noise that fades.

/** Seconds, and the pitch in hertz. */
const [LENGTH, PITCH] = [0.06, 1400];

/** @type {AudioContext | null} */
let context = null;

/** Sounds once. */
export function click() {
  context ??= new AudioContext();
  const { sampleRate, currentTime } = context;
  const buffer = context.createBuffer(1, LENGTH * sampleRate, sampleRate);
  const samples = buffer.getChannelData(0);
  samples.forEach((_, index) => {
    samples[index] = (Math.random() * 2 - 1) * Math.exp((-index * 9) / samples.length);
  });
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: 'bandpass', frequency: PITCH, Q: 1.2 });
  const gain = new GainNode(context, { gain: 0.5 });
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(currentTime);
}
