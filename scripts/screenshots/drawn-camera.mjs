/**
 * Replaces the camera of a context's pages by a drawing of a person, because the fake camera of Chromium shows a green
 * test picture.
 * @param look {size: {width, height}, colors: {wall, hair, skin, shirt}}
 */
export async function useDrawnCamera(context, look) {
  await context.addInitScript(replaceCamera, look);
}

/** Runs in the page. */
function replaceCamera({ size, colors: { wall, hair, skin, shirt } }) {
  const { width, height } = size;
  const { mediaDevices } = navigator;
  const original = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (constraints) => {
    const stream = await original(constraints);
    for (const track of stream.getVideoTracks()) {
      stream.removeTrack(track);
      stream.addTrack(drawnTrack());
    }
    return stream;
  };

  function drawnTrack() {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, size);
    const context = canvas.getContext('2d');
    // A canvas without changes sends no pictures.
    setInterval(() => draw(context), 100);
    return canvas.captureStream(10).getVideoTracks()[0];
  }

  function draw(context) {
    const unit = height / 100;
    const [x, y] = [width / 2, height];
    const fill = (color, path) => {
      context.fillStyle = color;
      context.beginPath();
      path();
      context.fill();
    };
    const light = context.createRadialGradient(x * 0.6, 20 * unit, 0, x, y / 2, width);
    light.addColorStop(0, '#ffffff');
    light.addColorStop(0.3, wall);
    light.addColorStop(1, '#33415c');
    fill(light, () => context.rect(0, 0, width, height));
    fill(hair, () => context.ellipse(x, 43 * unit, 20 * unit, 24 * unit, 0, 0, 2 * Math.PI));
    fill(shirt, () => context.ellipse(x, 108 * unit, 38 * unit, 32 * unit, 0, 0, 2 * Math.PI));
    fill(skin, () => context.roundRect(x - 7 * unit, 60 * unit, 14 * unit, 22 * unit, 7 * unit));
    fill(skin, () => context.ellipse(x, 49 * unit, 15 * unit, 19 * unit, 0, 0, 2 * Math.PI));
    fill(hair, () => context.ellipse(x, 33 * unit, 15 * unit, 7 * unit, 0, Math.PI, 2 * Math.PI));
    fill('#2b2b33', () => {
      context.arc(x - 6 * unit, 48 * unit, 1.4 * unit, 0, 2 * Math.PI);
      context.arc(x + 6 * unit, 48 * unit, 1.4 * unit, 0, 2 * Math.PI);
    });
    context.strokeStyle = '#8c3b3b';
    context.lineWidth = unit;
    context.beginPath();
    context.arc(x, 55 * unit, 5 * unit, 0.15 * Math.PI, 0.85 * Math.PI);
    context.stroke();
  }
}
