export default { 4: new URL('./weights-4.bin', import.meta.url).href };
