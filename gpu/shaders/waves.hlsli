// Defines WAVES if kernels may use wave operations: in DXIL. DXBC has none.

#if __SHADER_TARGET_MAJOR >= 6
#define WAVES
#endif
