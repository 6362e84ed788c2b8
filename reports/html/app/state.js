// The page's state, kept in the address: #SECTION?q=QUERY&case=CASE. The address and the file show
// everyone the same.

function readState() {
  const [section, rest] = location.hash.slice(1).split(/\?(.*)/s);
  const values = new URLSearchParams(rest || '');
  const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  return {section: decoded(section || ''), q: values.get('q') || '', case: values.get('case') || ''};
}

function addressOf(state) {
  const values = new URLSearchParams();
  if (state.q) values.set('q', state.q);
  if (state.case) values.set('case', state.case);
  const rest = values.toString();
  return `#${encodeURIComponent(state.section || '')}${rest ? `?${rest}` : ''}`;
}

// Links to a part of the page; a plain click keeps the rest of the state.
function linkTo(change, ...children) {
  return make('a', {
    href: addressOf({section: '', q: '', case: '', ...change}),
    onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(change);
    },
  }, ...children);
}

const ruleLink = (id) => linkTo({section: `rule-${id}`, case: ''}, code(id));
// `section` lists the case, so a key leads to its neighbours there.
const caseLink = (name, section) => linkTo({...(section && {section}), case: name}, code(name));

// `quietly`: without an entry in the browser's history.
function go(change, quietly) {
  const address = addressOf({...readState(), ...change});
  if (address !== location.hash) history[quietly ? 'replaceState' : 'pushState'](null, '', address);
  showState('section' in change && !change.case);
}

// Set by start.js: updates the page to match the address.
let showState = () => {};
