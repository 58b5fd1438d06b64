// Property-based tests draw new cases at every run, so that developers keep finding what nobody thought of. In CI they
// draw the same ones: a landing must not fail for a case that has nothing to do with it.
if (process.env.CI) require('fast-check').configureGlobal({ seed: 20_261_121 });
