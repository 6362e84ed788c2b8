// Takes screenshots of first screens: screenshots.mjs FOLDER NAME=INDEX.HTML…
import {close, open} from './setup.mjs';

const [folder, ...pages] = process.argv.slice(2);
for (const [name, page] of pages.map((pair) => pair.split('='))) {
  for (const [width, height] of [[1440, 900], [375, 812]]) {
    await open(page, (tab) => tab.screenshot({path: `${folder}/${name}-${width}.png`}), {viewport: {width, height}});
  }
}
await close();
