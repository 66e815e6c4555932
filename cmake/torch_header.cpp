// Carries the precompiled torch header that every torch-using target reuses.
