// Who is in sight: six planes against every agent, then a list for each type in order of id. Agents lie in
// order of cells; a table by slot brings those in sight into the order of slots, which is that of ids but for
// slots that were used again.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/frame.h"

namespace horde {
namespace {

constexpr std::int64_t kBlock = 256;                // agents
constexpr float kRounding = 0x1p-21f;               // see set_planes
constexpr std::int32_t kOutside = 0, kPerhaps = 1;  // and 2: inside

// Tests agents against the frustum. kPerhaps: a type that reaches far is in sight, one that does not is not.
// No comparison holds for NaN, so what is not finite is outside, and counted. Written so that it can be
// vectorised.
template <int D, bool alike>
std::int64_t test_block(const CullPlanes& planes, const float* const (&position)[3], std::int64_t count,
                        std::int32_t* found) {
    std::int32_t not_finite = 0;
    for (std::int64_t n = 0; n < count; ++n) {
        const float x = position[0][n], y = position[1][n], z = D == 3 ? position[2][n] : 0.0f;
        const float size = std::fabs(x) + std::fabs(y) + std::fabs(z);
        const std::int32_t finite = size <= std::numeric_limits<float>::max();
        const float slack = size * -kRounding;
        std::int32_t kept = finite, sure = finite;
        for (int p = 0; p < kPlanes; ++p) {
            float height = planes.normal[0][p] * x + planes.normal[1][p] * y;
            if constexpr (D == 3) height = height + planes.normal[2][p] * z;
            kept &= height + planes.most[p] >= slack;
            if constexpr (!alike) sure &= height + planes.least[p] >= slack;
        }
        found[n] = alike ? 2 * kept : kept + sure;
        not_finite += 1 - finite;
    }
    return not_finite;
}

// The same for one agent of a known type.
bool is_seen(const View& view, std::size_t place, float x, float y, float z) {
    const float slack = (std::fabs(x) + std::fabs(y) + std::fabs(z)) * -kRounding;
    bool seen = true;
    for (int p = 0; p < kPlanes; ++p) {
        const float height =
            view.planes.normal[0][p] * x + view.planes.normal[1][p] * y + view.planes.normal[2][p] * z;
        seen = seen && height + view.reach[place][static_cast<std::size_t>(p)] >= slack;
    }
    return seen;
}

template <int D>
std::int64_t test(const CullPlanes& planes, const float* const (&position)[3], std::int64_t count,
                  std::int32_t* found) {
    return planes.alike ? test_block<D, true>(planes, position, count, found)
                        : test_block<D, false>(planes, position, count, found);
}

// Tests agents [begin, end) and enters those in sight into the table of slots.
void cull_chunk(Frame& frame, const std::uint8_t* place_of_group, std::int64_t begin, std::int64_t end,
                ViewChunk& chunk) {
    View& view = frame.view;
    const Agents& agents = frame.agents;
    const bool alone = view.types.size() == 1;  // then counts stay in a register
    std::int64_t seen = 0;
    std::uint32_t generations = 0;
    std::int32_t found[kBlock];
    for (std::int64_t block = begin; block < end; block += kBlock) {
        const std::int64_t count = std::min(kBlock, end - block);
        const float* position[3] = {};
        for (int k = 0; k < agents.dim; ++k) position[k] = agents.position[k].now.data() + block;
        chunk.not_finite += agents.dim == 2 ? test<2>(view.planes, position, count, found)
                                            : test<3>(view.planes, position, count, found);
        for (std::int64_t n = 0; n < count; ++n) {
            if (found[n] == kOutside) continue;
            const std::int64_t i = block + n;
            const std::size_t place = alone ? 0 : place_of_group[agents.group.now[i]];
            if (found[n] == kPerhaps) {
                const float x = position[0][n], y = position[1][n];
                const float z = agents.dim == 3 ? position[2][n] : height_under(frame, x, y);
                if (!is_seen(view, place, x, y, z)) continue;
            }
            const AgentId id = agents.id.now[i];
            view.index_at[static_cast<std::uint32_t>(id)] = static_cast<std::uint32_t>(i);
            generations |= static_cast<std::uint32_t>(id >> 32);
            alone ? ++seen : ++chunk.count[place];
        }
    }
    if (alone) chunk.count[0] = seen;
    chunk.generations = generations;
}

// Entries [begin, end) of the table, to each type's list from `next` on.
void list_chunk(Frame& frame, const std::uint8_t* place_of_group, std::int64_t begin, std::int64_t end,
                std::array<std::int64_t, kTypes> next) {
    View& view = frame.view;
    const Agents& agents = frame.agents;
    const bool alone = view.types.size() == 1;
    std::int64_t last = next[0];
    for (std::int64_t slot = begin; slot < end; ++slot) {
        const std::uint32_t i = view.index_at[static_cast<std::size_t>(slot)];
        if (i == kUnseen) continue;
        const auto to =
            static_cast<std::size_t>(alone ? last++ : next[place_of_group[agents.group.now[i]]]++);
        view.index[to] = i;
        view.id[to] = static_cast<AgentId>(agents.generation[static_cast<std::size_t>(slot)]) << 32 |
                      static_cast<AgentId>(slot);
    }
}

void count_chunk(const Frame& frame, const std::uint8_t* place_of_group, std::int64_t begin, std::int64_t end,
                 ViewChunk& chunk) {
    for (std::int64_t slot = begin; slot < end; ++slot) {
        const std::uint32_t i = frame.view.index_at[static_cast<std::size_t>(slot)];
        if (i != kUnseen) ++chunk.count[place_of_group[frame.agents.group.now[i]]];
    }
}

// One pass of a radix sort by 8 bits of the generation, which keeps the order of slots among equals.
void order_by(View& view, std::int64_t begin, std::int64_t end, int shift) {
    std::int64_t start[257] = {};
    const auto digit = [&](std::int64_t n) { return view.id[static_cast<std::size_t>(n)] >> shift & 0xff; };
    for (std::int64_t n = begin; n < end; ++n) ++start[digit(n) + 1];
    for (int d = 0; d < 256; ++d) start[d + 1] += start[d];
    for (std::int64_t n = begin; n < end; ++n) {
        const auto to = static_cast<std::size_t>(begin + start[digit(n)]++);
        view.spare_id[to] = view.id[static_cast<std::size_t>(n)];
        view.spare_index[to] = view.index[static_cast<std::size_t>(n)];
    }
    std::copy(view.spare_id.begin() + begin, view.spare_id.begin() + end, view.id.begin() + begin);
    std::copy(view.spare_index.begin() + begin, view.spare_index.begin() + end, view.index.begin() + begin);
}

void make_room(View& view, const Agents& agents) {
    const auto capacity = agents.id.now.size();
    const std::size_t slots = agents.generation.size();
    if (view.index.size() < capacity) {
        for (auto* list : {&view.index, &view.spare_index}) list->resize(capacity);
        for (auto* list : {&view.id, &view.spare_id}) list->resize(capacity);
    }
    if (view.index_at.size() < slots) view.index_at.resize(std::max(slots, capacity));
    view.first.resize(view.types.size() + 1);
}

void clear_chunks(View& view, std::int64_t count, std::int64_t grain) {
    view.chunks.assign(static_cast<std::size_t>((count + grain - 1) / grain), {});
}

}  // namespace

void cull_stage(Frame& frame) {
    View& view = frame.view;
    Executor& executor = *frame.executor;
    const std::int64_t count = frame.agents.count;
    const auto slots = static_cast<std::int64_t>(frame.agents.generation.size());
    const std::size_t types = view.types.size();
    make_room(view, frame.agents);
    std::uint8_t place_of_group[kTypes];
    for (std::size_t g = 0; g < frame.params.groups.size(); ++g)
        place_of_group[g] = view.place[frame.params.groups[g].type];

    std::fill_n(view.index_at.begin(), slots, kUnseen);
    std::int64_t grain = executor.grain(count);
    clear_chunks(view, count, grain);
    executor.for_chunks(count, grain, [&](std::int64_t c, std::int64_t begin, std::int64_t end) {
        cull_chunk(frame, place_of_group, begin, end, view.chunks[static_cast<std::size_t>(c)]);
    });
    std::array<std::int64_t, kTypes> total{};
    std::int64_t not_finite = 0;
    std::uint32_t generations = 0;
    for (const ViewChunk& chunk : view.chunks) {
        for (std::size_t t = 0; t < types; ++t) total[t] += chunk.count[t];
        not_finite += chunk.not_finite;
        generations |= chunk.generations;
    }
    view.first[0] = 0;
    for (std::size_t t = 0; t < types; ++t) view.first[t + 1] = view.first[t] + total[t];
    frame.report.visible = view.first[types];
    frame.report.not_finite = not_finite;

    grain = executor.grain(slots);
    clear_chunks(view, slots, grain);
    if (view.chunks.size() > 1) {
        executor.for_chunks(slots, grain, [&](std::int64_t c, std::int64_t begin, std::int64_t end) {
            count_chunk(frame, place_of_group, begin, end, view.chunks[static_cast<std::size_t>(c)]);
        });
    }
    std::array<std::int64_t, kTypes> next{};  // where a type's list goes on
    std::copy_n(view.first.begin(), types, next.begin());
    for (ViewChunk& chunk : view.chunks) {
        for (std::size_t t = 0; t < types; ++t) {
            const std::int64_t own = chunk.count[t];
            chunk.count[t] = next[t];
            next[t] += own;
        }
    }
    executor.for_chunks(slots, grain, [&](std::int64_t c, std::int64_t begin, std::int64_t end) {
        list_chunk(frame, place_of_group, begin, end, view.chunks[static_cast<std::size_t>(c)].count);
    });
    for (int shift = 32; shift < 64 && generations >> (shift - 32) != 0; shift += 8) {
        for (std::size_t t = 0; t < types; ++t) order_by(view, view.first[t], view.first[t + 1], shift);
    }
}

}  // namespace horde
