// WAVES: whether kernels use wave operations. In DXIL they do, but not in the variant "no-waves";
// DXBC has none. What they take for granted of a device, wave_probe.hlsl tries.

#if __SHADER_TARGET_MAJOR >= 6 && !defined(NO_WAVES)
#define WAVES
#endif
