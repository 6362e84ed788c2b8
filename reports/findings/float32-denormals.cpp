// nonzero_coordinates level=6.0 input=f32:515 coords=515x1 seed=4002
//
// Rules that it exercises:
//   nonzero_coordinates.nonzero (documented): Exactly the elements that are not zero are reported.
//   [NONZERO_COORDINATES, Description]
//   nonzero_coordinates.count (documented): OutputCountTensor holds the number of non-zero
//   elements. [NONZERO_COORDINATES, OutputCountTensor]
//   nonzero_coordinates.coordinates (documented): A row holds the last N coordinates of its
//   element, N being the number of columns. [NONZERO_COORDINATES, OutputCoordinatesTensor and
//   example]
//   nonzero_coordinates.order (documented): Rows are ordered by ascending element index.
//   [NONZERO_COORDINATES, OutputCoordinatesTensor]
//
// Executes the operator and compares what it writes. Exits with 1 where the fault shows, with 0
// where not, with 2 where DirectML could not be asked. HEADERS are Microsoft's DirectX-Headers
// (Debian: directx-headers-dev 1.619); for Wine add -DWINE_SHIM.
//   cl /std:c++20 /EHsc reproducer.cpp
//   x86_64-w64-mingw32-g++ -std=c++20 -static -isystem HEADERS reproducer.cpp -o reproducer.exe

#define INITGUID
#define DML_TARGET_VERSION_USE_LATEST
#include <windows.h>
#ifndef _Maybenull_
#define _Maybenull_  // MinGW's sal.h lacks it
#endif
#if __has_include(<directx/DirectML.h>)
#include <directx/DirectML.h>
#else
#include <d3d12.h>
#include <DirectML.h>
#endif
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <vector>

const GUID kDmlDevice{0x6dbd6437, 0x96fd, 0x423f, {0xa9, 0x8c, 0xae, 0x5e, 0x7c, 0x2a, 0x57, 0x3f}};
const GUID kDmlOperator{0x26caae7a, 0x3081, 0x4633, {0x95, 0x81, 0x22, 0x6f, 0xbe, 0x57, 0x69, 0x5d}};
const GUID kDmlCompiled{0x6b15e56a, 0xbf5c, 0x4902, {0x92, 0xd8, 0xda, 0x3a, 0x65, 0x0a, 0xfe, 0xa4}};
const GUID kDmlInitializer{0x427c1113, 0x435c, 0x469c, {0x86, 0x76, 0x4d, 0x5d, 0xd0, 0x72, 0xf8, 0x13}};
const GUID kDmlTable{0x29c687dc, 0xde74, 0x4e3b, {0xab, 0x00, 0x11, 0x68, 0xf2, 0xfc, 0x3c, 0xfc}};
const GUID kDmlRecorder{0xe6857a76, 0x2e3e, 0x4fdd, {0xbf, 0xf4, 0x5d, 0x2b, 0xa1, 0x0f, 0xb4, 0x53}};

struct Run {  // elements from address `at` on: first, first + step, first + 2 * step, ...
  uint64_t at, first, count = 1, step = 0;
};
struct Tensor {
  const char* name;
  const DML_BUFFER_TENSOR_DESC& desc;
  uint64_t width;   // of an element, in bytes
  uint64_t offset;  // of the binding in its buffer
  bool isOutput;
  std::vector<Run> elements;          // an input's, or what an output must hold
  std::vector<uint8_t> before = {};   // the whole buffer, with what lies around the tensor
  ID3D12Resource* buffer = nullptr, *staging = nullptr;
  UINT64 boundBytes() const { return (desc.TotalTensorSizeInBytes + 3) / 4 * 4; }
};

const UINT kInputTensorSizes[] = {515};
const DML_BUFFER_TENSOR_DESC kInputTensorBuffer{
    DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 1, kInputTensorSizes, nullptr,
    2060u /* TotalTensorSizeInBytes */, 0 /* GuaranteedBaseOffsetAlignment */};
const DML_TENSOR_DESC kInputTensor{DML_TENSOR_TYPE_BUFFER, &kInputTensorBuffer};
const UINT kOutputCountTensorSizes[] = {1};
const DML_BUFFER_TENSOR_DESC kOutputCountTensorBuffer{
    DML_TENSOR_DATA_TYPE_UINT32, DML_TENSOR_FLAG_NONE, 1, kOutputCountTensorSizes, nullptr,
    4u /* TotalTensorSizeInBytes */, 0 /* GuaranteedBaseOffsetAlignment */};
const DML_TENSOR_DESC kOutputCountTensor{DML_TENSOR_TYPE_BUFFER, &kOutputCountTensorBuffer};
const UINT kOutputCoordinatesTensorSizes[] = {515, 1};
const DML_BUFFER_TENSOR_DESC kOutputCoordinatesTensorBuffer{
    DML_TENSOR_DATA_TYPE_UINT32, DML_TENSOR_FLAG_NONE, 2, kOutputCoordinatesTensorSizes, nullptr,
    2060u /* TotalTensorSizeInBytes */, 0 /* GuaranteedBaseOffsetAlignment */};
const DML_TENSOR_DESC kOutputCoordinatesTensor{DML_TENSOR_TYPE_BUFFER, &kOutputCoordinatesTensorBuffer};
const DML_NONZERO_COORDINATES_OPERATOR_DESC kDesc{
    &kInputTensor, &kOutputCountTensor, &kOutputCoordinatesTensor};
const DML_OPERATOR_DESC kOperator{DML_OPERATOR_NONZERO_COORDINATES, &kDesc};
Tensor tensors[] = {
    {"InputTensor", kInputTensorBuffer, 4, 96, false,
     {
     {0, 0x49764a36}, {1, 0x77399c39}, {2, 0x4cc68d0f}, {3, 0x41cb4ac}, {4, 0x532fd7b4}, {5,
     0xf3aebba4}, {6, 0x967b5d4d}, {7, 0x6cad45d9}, {8, 0xafc2e22}, {9, 0x553432e4}, {10,
     0xc399cc26}, {11, 0x8fb60164}, {12, 0x8ad18160}, {13, 0x71346b4}, {14, 0x53c25e11}, {15,
     0xcdceb093}, {16, 0xee5bfbc0}, {17, 0x7b7f4b01}, {18, 0x176bd0a9}, {19, 0xdc201e01}, {20,
     0xac0feda6}, {21, 0x75c068a6}, {22, 0xcc907303}, {23, 0x37427697}, {24, 0x1b098d09}, {25,
     0x956b9f1f}, {26, 0x642f1394}, {27, 0x14153831}, {28, 0x1d5dce82}, {29, 0x165d17a7}, {30,
     0x26f0dfdf}, {31, 0x38840858}, {32, 0xd7197582}, {33, 0xc1a2172a}, {34, 0x9ebfa068}, {35,
     0xa60890ba}, {36, 0xefb0c7e8}, {37, 0xa7624970}, {38, 0xe79335bc}, {39, 0xa3a956d0}, {40,
     0x6f5d074d}, {41, 0x136556b3}, {42, 0x7fd1396}, {43, 0x25f966ad}, {44, 0x5e74dd15}, {45,
     0x6d32049c}, {46, 0xf7ffffd5}, {47, 0x6ea51d64}, {48, 0x4a7c718a}, {49, 0x3439bf7b}, {50,
     0xfc356038}, {51, 0xe2cb7fe3}, {52, 0x5f0de430}, {53, 0xa01dbe71}, {54, 0x8489236c}, {55,
     0xb663675a}, {56, 0xe6124e0}, {57, 0xc2585181}, {58, 0x7a9c231e}, {59, 0x5c2c7095}, {60,
     0xe0d977f4}, {61, 0xa9ce9fd9}, {62, 0x60f602ec}, {63, 0x78bbc779}, {64, 0x8b045692}, {65,
     0xbad3769}, {66, 0x2a4a52ac}, {67, 0xc2ced9c7}, {68, 0xdc85525b}, {69, 0xcaeb3b75}, {70,
     0xce438c1a}, {71, 0xf21a46d8}, {72, 0x8d76643e}, {73, 0x123b45b7}, {74, 0xf7cb5033}, {75,
     0xfa5efba9}, {76, 0xbd134264}, {77, 0xdd6a0e54}, {78, 0x36d180a1}, {79, 0xc8664e56}, {80,
     0xa438fa95}, {81, 0xf0ffb2bb}, {82, 0x321f66c5}, {83, 0xf5867d24}, {84, 0x26637f58}, {85,
     0x9be58063}, {86, 0xba3e2832}, {87, 0xff5efef6}, {88, 0xc4563b1a}, {89, 0x7d490ced}, {90,
     0x5862bc75}, {91, 0xcabfd7da}, {92, 0x8a634130}, {93, 0x54b916d2}, {94, 0x14829e8a}, {95,
     0xa410c614}, {96, 0xf7b5ac0a}, {97, 0x25aa46e9}, {98, 0x6babaa1e}, {99, 0x7fa0beff}, {100,
     0x3fe649e9}, {101, 0xae3d3ecf}, {102, 0xea7806d}, {103, 0xdb645c45}, {104, 0xbd9a9d07}, {105,
     0x59d95817}, {106, 0x7ac6556b}, {107, 0x98eaa1f4}, {108, 0x45d6bbb3}, {109, 0x3436f421}, {110,
     0x1b7d4ff5}, {111, 0xf22ba04}, {112, 0x9fe9cbd1}, {113, 0xd3f242a7}, {114, 0x84c25ea}, {115,
     0x1e0de3fe}, {116, 0xb46675e3}, {117, 0xeca36b19}, {118, 0xa12cbf99}, {119, 0xb6209eca}, {120,
     0x806629e1}, {121, 0x3121aecd}, {122, 0x4e0ea56e}, {123, 0x8e494cb4}, {124, 0x11a3ab12}, {125,
     0xd9efc323}, {126, 0x9fbb939f}, {127, 0xb045e50e}, {128, 0x397aff2}, {129, 0x8c3bca9}, {130,
     0x2bb94f32}, {131, 0x56d7c677}, {132, 0x45449625}, {133, 0x1fc6abbf}, {134, 0xcc5fd0bd}, {135,
     0xb551fa0a}, {136, 0x58e6bec}, {137, 0xa2908a1b}, {138, 0xc075ef9}, {139, 0xc2c35f40}, {140,
     0x92ce1357}, {141, 0x6ee1a776}, {142, 0x6e4780e0}, {143, 0x2f290f24}, {144, 0x487c98dd}, {145,
     0x223782b5}, {146, 0x84d4ee3b}, {147, 0x5f7884e}, {148, 0x7b973f}, {149, 0xaefd846c}, {150,
     0x31b268db}, {151, 0xdb3fa01f}, {152, 0x93061a2b}, {153, 0x8a3080f2}, {154, 0xbd753b1c}, {155,
     0x67a69cc1}, {156, 0xbbd101cf}, {157, 0xfc48bc8a}, {158, 0xf1555bce}, {159, 0xc1ef5ef}, {160,
     0x3f700312}, {161, 0x4e61f898}, {162, 0xaa6a0fdd}, {163, 0xff6f94e2}, {164, 0x2fb019be}, {165,
     0x8922f324}, {166, 0xccf0915f}, {167, 0x1bd6623f}, {168, 0xcad89b7d}, {169, 0xac13d483}, {170,
     0x2a489c42}, {171, 0x82643405}, {172, 0x342c9723}, {173, 0x5dbe3fdf}, {174, 0x17717118}, {175,
     0x5a8a01a7}, {176, 0x2798b060}, {177, 0xe9cb5a43}, {178, 0x3b479418}, {179, 0xf92ceb8a}, {180,
     0xa97bd354}, {181, 0x984423e3}, {182, 0x85760ae3}, {183, 0x9a27983d}, {184, 0xf69808a7}, {185,
     0x5df69e2a}, {186, 0x9deaf1e5}, {187, 0xadb494bf}, {188, 0x7ae74beb}, {189, 0xd1943dc0}, {190,
     0x3a6e025}, {191, 0x62e26796}, {192, 0xec4cedf3}, {193, 0xf550cf73}, {194, 0xb48605ee}, {195,
     0x4b85de31}, {196, 0x39a03d85}, {197, 0xbd3d9d5}, {198, 0x3d943121}, {199, 0xb67eef67}, {200,
     0x4a186507}, {201, 0x79c075c1}, {202, 0x7e2023aa}, {203, 0xde6f7bcd}, {204, 0x1e8d33fb}, {205,
     0x55fbdae7}, {206, 0x1ed0699c}, {207, 0x6773c231}, {208, 0xbfbc5b1a}, {209, 0x96fd93a2}, {210,
     0x7a0ff91d}, {211, 0x7ccf6bd9}, {212, 0x24fef9ee}, {213, 0xc5b36294}, {214, 0x1ba58bff}, {215,
     0x6fdccae4}, {216, 0x2629bd63}, {217, 0x973dd495}, {218, 0x1e78a39b}, {219, 0xcd66b679}, {220,
     0x6ea0a0e1}, {221, 0x759eddf0}, {222, 0xc06bda31}, {223, 0x523d1db6}, {224, 0x20682f6b}, {225,
     0xed85df0e}, {226, 0xc950be41}, {227, 0x415dbc8f}, {228, 0x52e38ee6}, {229, 0x73772253}, {230,
     0x3608a282}, {231, 0x604b8f29}, {232, 0x440d4a93}, {233, 0x9e604b80}, {234, 0xa91f556c}, {235,
     0xbfa5cd8f}, {236, 0xeb6fb505}, {237, 0xcd5cdb94}, {238, 0xfc15640b}, {239, 0xa8ce35fc}, {240,
     0xd56d53ee}, {241, 0xc42b09ec}, {242, 0x8157083f}, {243, 0x2967fe49}, {244, 0x6f374c88}, {245,
     0xaeb9f95e}, {246, 0x1a2de5bc}, {247, 0x99fbd6bf}, {248, 0x48c09f38}, {249, 0x7d104d8}, {250,
     0xa123a501}, {251, 0x75b1404f}, {252, 0x4b0e79f0}, {253, 0x91497ab2}, {254, 0xda41bbe0}, {255,
     0x5ae6d8a6}, {256, 0x8f1c0a4c}, {257, 0xb8601536}, {258, 0xe82a716c}, {259, 0xc7771dd8}, {260,
     0x421b30cf}, {261, 0x55703362}, {262, 0xc71cab9}, {263, 0x2c313e8a}, {264, 0xeb08daab}, {265,
     0xfba5935d}, {266, 0xf97fd434}, {267, 0x571031e0}, {268, 0xd512b5be}, {269, 0x680aed7b}, {270,
     0xa3703577}, {271, 0x39994f80}, {272, 0x36831bf5}, {273, 0x6f010674}, {274, 0x289ce151}, {275,
     0x83845164}, {276, 0x62484d31}, {277, 0xe6f50fdc}, {278, 0xba008e3}, {279, 0x2775727c}, {280,
     0x51f8daf6}, {281, 0x35ec65a}, {282, 0x44c923de}, {283, 0xdce7b7cf}, {284, 0xb01d4c47}, {285,
     0x658699a}, {286, 0x3177e203}, {287, 0x8d3aa3fb}, {288, 0xe403beb3}, {289, 0xcb9cf167}, {290,
     0x2553fac1}, {291, 0x8db2c411}, {292, 0x4d2ab097}, {293, 0x7a3c3336}, {294, 0xc7e40603}, {295,
     0x399fd6b5}, {296, 0x3f9fefce}, {297, 0xad5be211}, {298, 0x1570ccfa}, {299, 0xfe1718b4}, {300,
     0x4a98e6fc}, {301, 0xdf58cfbe}, {302, 0xaa5b25dd}, {303, 0x22b6d3ed}, {304, 0x3f9b2378}, {305,
     0x952b517b}, {306, 0xf785a870}, {307, 0x234291a5}, {308, 0xfdee323c}, {309, 0xff65a6b5}, {310,
     0x23f3b3c5}, {311, 0x1eb6d271}, {312, 0x8b08cb45}, {313, 0xce805a70}, {314, 0x49e90c99}, {315,
     0x355b655c}, {316, 0xc795bffd}, {317, 0x5c984c26}, {318, 0x27a310dc}, {319, 0xde3b85fd}, {320,
     0x19203e6b}, {321, 0x8757b169}, {322, 0x59f7fd47}, {323, 0x6d731f54}, {324, 0xaca6fb81}, {325,
     0x709b72d0}, {326, 0xaa950e79}, {327, 0x4052705c}, {328, 0xfd619afb}, {329, 0x24a88d6a}, {330,
     0x5b55ff1f}, {331, 0x5881df28}, {332, 0xc6e7fcf1}, {333, 0x97a5e2e4}, {334, 0x2063cf86}, {335,
     0x76919b70}, {336, 0x69f7a45b}, {337, 0xd65334c2}, {338, 0x50cdd467}, {339, 0x36c0ed63}, {340,
     0x2f834ae4}, {341, 0x2b006348}, {342, 0x9400dbaf}, {343, 0x5739eb92}, {344, 0xe8ccbb4f}, {345,
     0x3712e8a9}, {346, 0x80ad476a}, {347, 0xcfc7ba95}, {348, 0x7793098b}, {349, 0xfc1c510f}, {350,
     0x8eed5296}, {351, 0x9e2a0fcf}, {352, 0xd5599346}, {353, 0xbcbcca27}, {354, 0x93702522}, {355,
     0x57aa3c57}, {356, 0x235899a0}, {357, 0xc8ca4d88}, {358, 0xe7943ae5}, {359, 0xae0189b5}, {360,
     0x801d8b7c}, {361, 0x96c95cde}, {362, 0xd1a0f6fc}, {363, 0xdb9c0f37}, {364, 0xf8cd72aa}, {365,
     0x7c297dfe}, {366, 0x2cca91d0}, {367, 0xf22056de}, {368, 0xba7b2097}, {369, 0xc92534a}, {370,
     0xf3406b63}, {371, 0xefbcce86}, {372, 0x72b3c795}, {373, 0xda31af56}, {374, 0xba975d61}, {375,
     0xf5126fa5}, {376, 0xf2979cd2}, {377, 0xa873770}, {378, 0x6a65927a}, {379, 0xc447747a}, {380,
     0xc4b55c}, {381, 0x45fd30cc}, {382, 0x21331fd6}, {383, 0xff8e067}, {384, 0x4a2726bb}, {385,
     0x725c8274}, {386, 0xebd57c74}, {387, 0xf70dd39}, {388, 0x1495ad63}, {389, 0xaf832b21}, {390,
     0x50a1d7de}, {391, 0x91ca20f4}, {392, 0x9c8dee11}, {393, 0x737d3046}, {394, 0x2c8feda6}, {395,
     0x1a9237e1}, {396, 0x2592291c}, {397, 0xa99aeb2}, {398, 0x4e43e86f}, {399, 0xed3cebab}, {400,
     0x7560ae60}, {401, 0xc2507777}, {402, 0x21ad1f93}, {403, 0xd6b48db1}, {404, 0x5019d469}, {405,
     0xc25a1081}, {406, 0xa8802397}, {407, 0xb1a5a751}, {408, 0xbf350ddb}, {409, 0xd18fa55f}, {410,
     0xf33f2fa7}, {411, 0x871639a7}, {412, 0xaac51658}, {413, 0xe2707d92}, {414, 0x3c33251}, {415,
     0xd700f0d4}, {416, 0x453a27b6}, {417, 0x55577bd1}, {418, 0xfe290922}, {419, 0xe0121f4b}, {420,
     0x57085942}, {421, 0x407774df}, {422, 0xde09e36b}, {423, 0xa6a7522a}, {424, 0x7687f8b2}, {425,
     0x9a3e63c7}, {426, 0xe4900964}, {427, 0x5a6ea3da}, {428, 0x690610e7}, {429, 0xf330979f}, {430,
     0x34cf5c65}, {431, 0xb8a8a2a7}, {432, 0xfcd255b6}, {433, 0x57e6ad39}, {434, 0x330990dc}, {435,
     0xe3792947}, {436, 0x7bcf9654}, {437, 0x6c47a114}, {438, 0x81740406}, {439, 0x210bf9d8}, {440,
     0x9076b810}, {441, 0x98b35c96}, {442, 0x8b1f8255}, {443, 0xa7f402ee}, {444, 0x73893bf2}, {445,
     0x37718699}, {446, 0x15ec8a90}, {447, 0xcb24d497}, {448, 0x80d6fec8}, {449, 0x925021b8}, {450,
     0x4c7d6c4a}, {451, 0xabfd7244}, {452, 0x393a9e27}, {453, 0x53bf282b}, {454, 0xc5cb56fb}, {455,
     0x3485c924}, {456, 0xf0551a93}, {457, 0xeaa9ab47}, {458, 0x38f11e90}, {459, 0x4f382aa1}, {460,
     0x20374415}, {461, 0xbab4b85f}, {462, 0xaf677870}, {463, 0x9715a4d5}, {464, 0x7f19de2e}, {465,
     0xb10df67b}, {466, 0xb375ab1c}, {467, 0x76d8e6d3}, {468, 0x6b736fcb}, {469, 0xde35a757}, {470,
     0xf7e818ec}, {471, 0xd02d463a}, {472, 0x74be3824}, {473, 0xd51da211}, {474, 0x3062cbba}, {475,
     0x49897dbe}, {476, 0x63bab1f9}, {477, 0xc1b1f266}, {478, 0xe77e81aa}, {479, 0x9522dfe7}, {480,
     0x7186ca51}, {481, 0x433d1027}, {482, 0x1e4238b1}, {483, 0x7e686e73}, {484, 0x9e38d067}, {485,
     0x1d002c1d}, {486, 0x708b8dab}, {487, 0xc8919c3b}, {488, 0x88fee984}, {489, 0xc3b8bc9}, {490,
     0x129846dd}, {491, 0x72ec60b9}, {492, 0x1df670c3}, {493, 0xadd69364}, {494, 0xc50a52ac}, {495,
     0x39b4bbdd}, {496, 0x4fa07c31}, {497, 0x112924dc}, {498, 0x73557e1e}, {499, 0x21074c}, {500,
     0x1f737ab2}, {501, 0xe2d49375}, {502, 0x39ea8cdc}, {503, 0x63489863}, {504, 0x2b6a2ffc}, {505,
     0x264656eb}, {506, 0x8ffd9b78}, {507, 0xa31d461b}, {508, 0x7d219957}, {509, 0x93379da4}, {510,
     0xfc7b77e7}, {511, 0x4955b34f}, {512, 0x1284bbe3}, {513, 0x4569902f}, {514, 0xb6f8c77d}
     }},
    {"OutputCountTensor", kOutputCountTensorBuffer, 4, 64, true,
     {
     {0, 0x203}
     }},
    {"OutputCoordinatesTensor", kOutputCoordinatesTensorBuffer, 4, 144, true,
     {
     {0, 0x0, 515, 0x1}
     }},
};

[[noreturn]] void leave(int status) {
  std::fflush(stdout);
  TerminateProcess(GetCurrentProcess(), status);  // some drivers crash while they are unloaded
  for (;;) {}
}
void check(HRESULT result, const char* call) {
  if (SUCCEEDED(result)) return;
  std::printf("%s failed: 0x%08x\n", call, static_cast<unsigned>(result));
  leave(2);
}
template <class Interface>
void** out(Interface*& pointer) { return reinterpret_cast<void**>(&pointer); }
template <class Function>
Function* function(const char* dll, const char* name) {
  const HMODULE module = LoadLibraryA(dll);
  const auto found = module ? GetProcAddress(module, name) : nullptr;
  if (!found) std::printf("no %s with %s\n", dll, name), leave(2);
  return reinterpret_cast<Function*>(reinterpret_cast<void*>(found));
}
#ifdef WINE_SHIM  // for Wine alone, whose Direct3D 12 cannot enumerate metacommands: there are none
HRESULT STDMETHODCALLTYPE noMetacommands(void*, UINT* count, void*) { return *count = 0, S_OK; }
void shim(ID3D12Device* device) {
  void** const method = *reinterpret_cast<void***>(device) + 59;  // ID3D12Device5's
  DWORD old = 0;
  VirtualProtect(method, sizeof *method, PAGE_READWRITE, &old);
  *method = reinterpret_cast<void*>(&noMetacommands);
}
#else
void shim(ID3D12Device*) {}
#endif

ID3D12Resource* makeBuffer(ID3D12Device* device, D3D12_HEAP_TYPE heap, UINT64 bytes) {
  D3D12_HEAP_PROPERTIES properties{};
  properties.Type = heap;
  D3D12_RESOURCE_DESC desc{};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = std::max<UINT64>(bytes, 4);
  desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  if (heap == D3D12_HEAP_TYPE_DEFAULT) desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  const auto state = heap == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
                     : heap == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                                        : D3D12_RESOURCE_STATE_COMMON;
  ID3D12Resource* buffer = nullptr;
  check(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                        IID_ID3D12Resource, out(buffer)),
        "CreateCommittedResource");
  return buffer;
}
void* mapped(ID3D12Resource* buffer) {
  void* bytes = nullptr;
  check(buffer->Map(0, nullptr, &bytes), "Map");
  return bytes;
}
// Calls method `slot` of an interface, which returns a structure: by a pointer behind `this`, which
// GCC would pass in front of it.
template <class Result>
Result returned(void* object, size_t slot) {
  Result result{};
  using Method = Result*(STDMETHODCALLTYPE*)(void*, Result*);
  reinterpret_cast<Method>((*static_cast<void***>(object))[slot])(object, &result);
  return result;
}

int main() {
  ID3D12Device* device = nullptr;
  check(function<HRESULT WINAPI(IUnknown*, D3D_FEATURE_LEVEL, REFIID, void**)>(
            "d3d12.dll", "D3D12CreateDevice")(nullptr, D3D_FEATURE_LEVEL_11_0, IID_ID3D12Device,
                                              out(device)),
        "D3D12CreateDevice");
  shim(device);
  IDMLDevice* dml = nullptr;
  check(function<decltype(DMLCreateDevice1)>("DirectML.dll", "DMLCreateDevice1")(
            device, DML_CREATE_DEVICE_FLAG_NONE, DML_FEATURE_LEVEL_6_0, kDmlDevice, out(dml)),
        "DMLCreateDevice1");
  IDMLOperator* op = nullptr;
  const HRESULT created = dml->CreateOperator(&kOperator, kDmlOperator, out(op));
  std::printf("CreateOperator: 0x%08x, expected: S_OK\n", static_cast<unsigned>(created));
  if (FAILED(created)) leave(1);
  IDMLCompiledOperator* compiled = nullptr;
  check(dml->CompileOperator(op, DML_EXECUTION_FLAG_NONE, kDmlCompiled, out(compiled)), "Compile");
  IDMLOperatorInitializer* initializer = nullptr;
  check(dml->CreateOperatorInitializer(1, &compiled, kDmlInitializer, out(initializer)),
        "CreateOperatorInitializer");
  IDMLCommandRecorder* recorder = nullptr;
  check(dml->CreateCommandRecorder(kDmlRecorder, out(recorder)), "CreateCommandRecorder");
  ID3D12CommandQueue* queue = nullptr;
  const D3D12_COMMAND_QUEUE_DESC direct{};
  check(device->CreateCommandQueue(&direct, IID_ID3D12CommandQueue, out(queue)), "CreateQueue");
  ID3D12Fence* fence = nullptr;
  check(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_ID3D12Fence, out(fence)), "CreateFence");
  UINT64 submitted = 0;
  // Buffers are back in the state COMMON after each list, and each use promotes them: no barriers.
  const auto submit = [&](auto record) {
    ID3D12CommandAllocator* allocator = nullptr;
    check(device->CreateCommandAllocator(direct.Type, IID_ID3D12CommandAllocator, out(allocator)),
          "CreateCommandAllocator");
    ID3D12GraphicsCommandList* list = nullptr;
    check(device->CreateCommandList(0, direct.Type, allocator, nullptr,
                                    IID_ID3D12GraphicsCommandList, out(list)), "CreateList");
    record(list);
    check(list->Close(), "Close");
    ID3D12CommandList* const lists[] = {list};
    queue->ExecuteCommandLists(1, lists);
    check(queue->Signal(fence, ++submitted), "Signal");
    while (fence->GetCompletedValue() < submitted) Sleep(1);
    check(device->GetDeviceRemovedReason(), "the execution: device removed");
    check(dml->GetDeviceRemovedReason(), "the execution: DirectML device removed");
  };

  // Outputs hold anything but what is expected, so that it shows where nothing is written.
  for (Tensor& tensor : tensors) {
    tensor.before.assign(tensor.offset + tensor.boundBytes() + 256, 0xcc);
    for (const Run& run : tensor.elements) {
      for (uint64_t i = 0; i < run.count; ++i) {
        const uint64_t bits = (run.first + i * run.step) ^ (tensor.isOutput ? ~uint64_t{0} : 0);
        std::memcpy(&tensor.before[tensor.offset + (run.at + i) * tensor.width], &bits,
                    tensor.width);
      }
    }
    tensor.buffer = makeBuffer(device, D3D12_HEAP_TYPE_DEFAULT, tensor.before.size());
    tensor.staging = makeBuffer(device, D3D12_HEAP_TYPE_UPLOAD, tensor.before.size());
    std::memcpy(mapped(tensor.staging), tensor.before.data(), tensor.before.size());
  }
  submit([&](ID3D12GraphicsCommandList* list) {
    for (Tensor& tensor : tensors) list->CopyResource(tensor.buffer, tensor.staging);
  });

  const auto needed = returned<DML_BINDING_PROPERTIES>(compiled, 8);
  ID3D12Resource* persistent =
      makeBuffer(device, D3D12_HEAP_TYPE_DEFAULT, needed.PersistentResourceSize);
  const auto dispatch = [&](IDMLDispatchable* what, bool initialize) {
    const auto properties = returned<DML_BINDING_PROPERTIES>(what, 8);
    D3D12_DESCRIPTOR_HEAP_DESC desc{};
    desc.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
    desc.NumDescriptors = std::max(properties.RequiredDescriptorCount, 1u);
    desc.Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
    ID3D12DescriptorHeap* heap = nullptr;
    check(device->CreateDescriptorHeap(&desc, IID_ID3D12DescriptorHeap, out(heap)), "CreateHeap");
    const DML_BINDING_TABLE_DESC tableDesc{what, returned<D3D12_CPU_DESCRIPTOR_HANDLE>(heap, 9),
                                           returned<D3D12_GPU_DESCRIPTOR_HANDLE>(heap, 10),
                                           properties.RequiredDescriptorCount};
    IDMLBindingTable* table = nullptr;
    check(dml->CreateBindingTable(&tableDesc, kDmlTable, out(table)), "CreateBindingTable");
    DML_BUFFER_BINDING temporary{nullptr, 0, properties.TemporaryResourceSize};
    temporary.Buffer = makeBuffer(device, D3D12_HEAP_TYPE_DEFAULT, temporary.SizeInBytes);
    const DML_BINDING_DESC temporaryDesc{DML_BINDING_TYPE_BUFFER, &temporary};
    if (temporary.SizeInBytes) table->BindTemporaryResource(&temporaryDesc);
    const DML_BUFFER_BINDING kept{persistent, 0, needed.PersistentResourceSize};
    const DML_BINDING_DESC keptDesc{kept.SizeInBytes ? DML_BINDING_TYPE_BUFFER
                                                     : DML_BINDING_TYPE_NONE, &kept};
    DML_BUFFER_BINDING bound[std::size(tensors)], owned[std::size(tensors)]{};
    std::vector<DML_BINDING_DESC> inputs, outputs;
    bool anyOwned = false;  // such inputs are bound when the operator is initialized, and not again
    for (size_t i = 0; i < std::size(tensors); ++i) {
      const Tensor& tensor = tensors[i];
      bound[i] = {tensor.buffer, tensor.offset, tensor.boundBytes()};
      const bool early = tensor.desc.Flags & DML_TENSOR_FLAG_OWNED_BY_DML;
      if (early) owned[i] = bound[i], anyOwned = true;
      (tensor.isOutput ? outputs : inputs)
          .push_back({early ? DML_BINDING_TYPE_NONE : DML_BINDING_TYPE_BUFFER, &bound[i]});
    }
    const DML_BUFFER_ARRAY_BINDING array{static_cast<UINT>(inputs.size()), owned};
    const DML_BINDING_DESC arrayDesc{DML_BINDING_TYPE_BUFFER_ARRAY, &array};
    if (initialize) {
      if (anyOwned) table->BindInputs(1, &arrayDesc);
      table->BindOutputs(1, &keptDesc);
    } else {
      table->BindInputs(static_cast<UINT>(inputs.size()), inputs.data());
      table->BindOutputs(static_cast<UINT>(outputs.size()), outputs.data());
      if (kept.SizeInBytes) table->BindPersistentResource(&keptDesc);
    }
    submit([&](ID3D12GraphicsCommandList* list) {
      list->SetDescriptorHeaps(1, &heap);
      recorder->RecordDispatch(list, what, table);
    });
  };
  dispatch(initializer, true);
  dispatch(compiled, false);
  for (Tensor& tensor : tensors) {
    tensor.staging = makeBuffer(device, D3D12_HEAP_TYPE_READBACK, tensor.before.size());
  }
  submit([&](ID3D12GraphicsCommandList* list) {
    for (Tensor& tensor : tensors) list->CopyResource(tensor.staging, tensor.buffer);
  });

  uint64_t compared = 0, wrong = 0, outside = 0;
  for (const Tensor& tensor : tensors) {
    const auto* bytes = static_cast<const uint8_t*>(mapped(tensor.staging));
    const uint64_t end = tensor.offset + tensor.desc.TotalTensorSizeInBytes;
    for (uint64_t i = 0; i < tensor.before.size(); ++i) {  // inputs, and what lies around outputs
      outside += (!tensor.isOutput || i < tensor.offset || i >= end) && bytes[i] != tensor.before[i];
    }
    if (!tensor.isOutput) continue;
    for (const Run& run : tensor.elements) {
      for (uint64_t i = 0; i < run.count; ++i) {
        const uint64_t mask = ~uint64_t{0} >> (64 - 8 * tensor.width);
        const uint64_t expected = (run.first + i * run.step) & mask;
        uint64_t actual = 0;
        std::memcpy(&actual, bytes + tensor.offset + (run.at + i) * tensor.width, tensor.width);
        ++compared;
        if (actual == expected || ++wrong > 10) continue;
        std::printf("%s, element at %llu: expected 0x%llx, actual 0x%llx%s\n", tensor.name, run.at + i,
                    expected, actual, actual == (~expected & mask) ? " (not written)" : "");
}
}
}
std::printf("%llu of %llu elements differ, %llu bytes changed outside the outputs\n", wrong,
            compared, outside);
leave(wrong || outside ? 1 : 0);
}
