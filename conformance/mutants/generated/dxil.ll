; What DXIL's operations are to LLVM, ahead of a shader's own module: `run` has a mutant and the shader
; that it was made of optimised with it, and takes those for equal that come to the same code.
; It says no more than holds for every dispatch of ours:
;   - what t0 to t2 and the constants show does not change while a dispatch runs;
;   - buffers are not group memory, and loading an address that nobody uses has no effect;
;   - a group has 256 threads (its number of threads is compared, too), a dimension at most 65,535 groups.
; and LLVM adds that nothing is divided by 0, and that no two threads race for a dword of group memory.

%dx.types.Handle = type { ptr }
%dx.types.CBufRet.i32 = type { i32, i32, i32, i32 }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }

declare %dx.types.CBufRet.i32 @constants(i32, i32) nounwind willreturn memory(none) speculatable
declare %dx.types.ResRet.i32 @inputLoad(i32, i32) nounwind willreturn memory(none) speculatable
declare %dx.types.ResRet.i32 @outputLoad(i32, i32) nounwind willreturn memory(inaccessiblemem: read)
declare void @outputStore(i32, i32, i32, i32, i32, i32, i8) nounwind willreturn memory(inaccessiblemem: readwrite)
declare i32 @thread() nounwind willreturn memory(none) speculatable
declare i32 @group(i32) nounwind willreturn memory(none) speculatable
declare i32 @otherBinary(i32, i32, i32) nounwind willreturn memory(none) speculatable
declare i32 @otherBits(i32, i32) nounwind willreturn memory(none) speculatable
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.cttz.i32(i32, i1)

; A handle is its register: 0 to 255 of t0 and on, then those of u0, then those of b0.
define internal %dx.types.Handle @dx.op.createHandle(i32 %op, i8 %kind, i32 %range, i32 %index, i1 %uniform) alwaysinline nounwind {
  %wide = zext i8 %kind to i32
  %shifted = shl i32 %wide, 8
  %register = or i32 %shifted, %range
  %pointer = inttoptr i32 %register to ptr
  %handle = insertvalue %dx.types.Handle undef, ptr %pointer, 0
  ret %dx.types.Handle %handle
}

define internal %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 %op, %dx.types.Handle %handle, i32 %row) alwaysinline nounwind {
  %pointer = extractvalue %dx.types.Handle %handle, 0
  %register = ptrtoint ptr %pointer to i32
  %loaded = call %dx.types.CBufRet.i32 @constants(i32 %register, i32 %row)
  ret %dx.types.CBufRet.i32 %loaded
}

define internal %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 %op, %dx.types.Handle %handle, i32 %at, i32 %unused) alwaysinline nounwind {
  %pointer = extractvalue %dx.types.Handle %handle, 0
  %register = ptrtoint ptr %pointer to i32
  %isInput = icmp ult i32 %register, 256
  br i1 %isInput, label %input, label %output
input:
  %fixed = call %dx.types.ResRet.i32 @inputLoad(i32 %register, i32 %at)
  ret %dx.types.ResRet.i32 %fixed
output:
  %stored = call %dx.types.ResRet.i32 @outputLoad(i32 %register, i32 %at)
  ret %dx.types.ResRet.i32 %stored
}

define internal void @dx.op.bufferStore.i32(i32 %op, %dx.types.Handle %handle, i32 %at, i32 %unused, i32 %a, i32 %b, i32 %c, i32 %d, i8 %mask) alwaysinline nounwind {
  %pointer = extractvalue %dx.types.Handle %handle, 0
  %register = ptrtoint ptr %pointer to i32
  call void @outputStore(i32 %register, i32 %at, i32 %a, i32 %b, i32 %c, i32 %d, i8 %mask)
  ret void
}

define internal i32 @dx.op.flattenedThreadIdInGroup.i32(i32 %op) alwaysinline nounwind {
  %thread = call i32 @thread(), !range !100000
  ret i32 %thread
}

define internal i32 @dx.op.groupId.i32(i32 %op, i32 %axis) alwaysinline nounwind {
  %group = call i32 @group(i32 %axis), !range !100001
  ret i32 %group
}

define internal i32 @dx.op.binary.i32(i32 %op, i32 %a, i32 %b) alwaysinline nounwind {
  switch i32 %op, label %other [ i32 39, label %max
                                 i32 40, label %min ]
max:
  %larger = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  ret i32 %larger
min:
  %smaller = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  ret i32 %smaller
other:
  %result = call i32 @otherBinary(i32 %op, i32 %a, i32 %b)
  ret i32 %result
}

; Of 0, the place of the lowest bit is ~0.
define internal i32 @dx.op.unaryBits.i32(i32 %op, i32 %a) alwaysinline nounwind {
  switch i32 %op, label %other [ i32 31, label %count
                                 i32 32, label %lowest ]
count:
  %bits = call i32 @llvm.ctpop.i32(i32 %a)
  ret i32 %bits
lowest:
  %place = call i32 @llvm.cttz.i32(i32 %a, i1 false)
  %none = icmp eq i32 %a, 0
  %known = select i1 %none, i32 -1, i32 %place
  ret i32 %known
other:
  %result = call i32 @otherBits(i32 %op, i32 %a)
  ret i32 %result
}

!100000 = !{i32 0, i32 256}
!100001 = !{i32 0, i32 65536}
