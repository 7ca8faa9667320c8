#include "sim/agents.h"

#include <algorithm>
#include <functional>
#include <string>

#include "base/random.h"
#include "horde/error.h"

namespace horde {
namespace {

std::uint32_t slot_of(AgentId id) {
    return static_cast<std::uint32_t>(id);
}
std::uint32_t generation_of(AgentId id) {
    return static_cast<std::uint32_t>(id >> 32);
}
AgentId make_id(std::uint32_t slot, std::uint32_t generation) {
    return (static_cast<AgentId>(generation) << 32) | slot;
}

void push_free_slot(Agents& agents, std::uint32_t slot) {
    agents.free_slots.push_back(slot);
    std::push_heap(agents.free_slots.begin(), agents.free_slots.end(), std::greater<>());
    agents.free_slots_hash += mix64(make_id(slot, agents.generation[slot]));
}

std::uint32_t pop_free_slot(Agents& agents) {
    std::pop_heap(agents.free_slots.begin(), agents.free_slots.end(), std::greater<>());
    const std::uint32_t slot = agents.free_slots.back();
    agents.free_slots.pop_back();
    agents.free_slots_hash -= mix64(make_id(slot, agents.generation[slot]));
    return slot;
}

std::int64_t append(Agents& agents, AgentId id) {
    const std::int64_t index = agents.count++;
    if (static_cast<std::size_t>(agents.count) > agents.id.now.size()) {
        reserve_agents(agents, std::max<std::int64_t>(64, agents.count + agents.count / 2));
    }
    for_each_column(agents, [&](auto& now, auto&, ColumnBit) { now[index] = {}; });
    agents.id.now[index] = id;
    if (agents.knows_index) {
        agents.index_of_slot.resize(agents.generation.size());
        agents.index_of_slot[slot_of(id)] = static_cast<std::uint32_t>(index);
    }
    return index;
}

}  // namespace

void reserve_agents(Agents& agents, std::int64_t capacity) {
    const auto size = static_cast<std::size_t>(capacity);
    if (size <= agents.id.now.size()) return;
    for_each_column(agents, [&](auto& now, auto& spare, ColumnBit) {
        now.resize(size);
        spare.resize(size);
    });
    for (int k = 0; k < agents.dim; ++k) agents.accel[k].resize(size);
    for (int k = 0; k < agents.dim && agents.has_behaviours; ++k) agents.drive[k].resize(size);
    if (agents.keeps_touch) agents.touch.resize(size);
    agents.generation.reserve(size);
    agents.free_slots.reserve(size);
}

void fit_new_columns(Agents& agents) {
    const std::size_t size = agents.id.now.size();
    for_each_column(agents, [&](auto& now, auto& spare, ColumnBit) {
        now.resize(size);
        spare.resize(size);
    });
}

std::int64_t add_agent(Agents& agents) {
    if (!agents.free_slots.empty()) {
        const std::uint32_t slot = pop_free_slot(agents);
        return append(agents, make_id(slot, agents.generation[slot]));
    }
    const auto slot = static_cast<std::uint32_t>(agents.generation.size());
    agents.generation.push_back(0);
    return append(agents, make_id(slot, 0));
}

void add_agents_with_ids(Agents& agents, std::span<const AgentId> ids) {
    constexpr std::uint32_t kFree = 0xffffffffu;
    std::vector<std::uint32_t> owner;  // which of `ids` a slot belongs to
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::uint32_t slot = slot_of(ids[i]);
        if (slot >= kMaxSlots) {
            throw Error("start: agent id " + std::to_string(ids[i]) +
                        " is too large; the low 32 bits of an id must be below " + std::to_string(kMaxSlots));
        }
        if (slot >= owner.size()) owner.resize(static_cast<std::size_t>(slot) + 1, kFree);
        if (owner[slot] != kFree) {
            throw Error("start: agent ids " + std::to_string(ids[owner[slot]]) + " and " +
                        std::to_string(ids[i]) +
                        " share a slot (their low 32 bits); give each agent its own");
        }
        owner[slot] = static_cast<std::uint32_t>(i);
    }
    agents.generation.assign(owner.size(), 0);
    reserve_agents(agents, static_cast<std::int64_t>(ids.size()));
    for (std::size_t slot = 0; slot < owner.size(); ++slot) {
        if (owner[slot] == kFree) {
            push_free_slot(agents, static_cast<std::uint32_t>(slot));
        } else {
            agents.generation[slot] = generation_of(ids[owner[slot]]);
        }
    }
    for (const AgentId id : ids) append(agents, id);
}

void take_slots(Agents& agents) {
    std::vector<std::uint32_t> free;
    free.swap(agents.free_slots);
    std::vector<std::uint8_t> taken(agents.generation.size(), 0);
    const auto take = [&](std::uint32_t slot) {
        if (slot >= taken.size() || taken[slot] != 0)
            throw Error("slot " + std::to_string(slot) + " of the agents is taken twice or is none");
        taken[slot] = 1;
    };
    for (std::int64_t i = 0; i < agents.count; ++i) {
        const AgentId id = agents.id.now[i];
        take(slot_of(id));
        if (agents.generation[slot_of(id)] != generation_of(id))
            throw Error("agent " + std::to_string(id) + " is not the one that its slot holds");
    }
    agents.free_slots_hash = 0;
    agents.free_slots.reserve(std::max(free.size(), agents.id.now.size()));
    for (const std::uint32_t slot : free) {
        take(slot);
        push_free_slot(agents, slot);
    }
    if (static_cast<std::size_t>(agents.count) + free.size() != taken.size())
        throw Error("a slot of the agents is neither free nor taken");
    agents.knows_index = false;
}

void remove_agents(Agents& agents, std::span<const std::uint32_t> indices) {
    for (auto it = indices.rbegin(); it != indices.rend(); ++it) {
        const std::uint32_t index = *it;
        const std::int64_t last = --agents.count;
        const std::uint32_t slot = slot_of(agents.id.now[index]);
        ++agents.generation[slot];
        push_free_slot(agents, slot);
        for_each_column(agents, [&](auto& now, auto&, ColumnBit) { now[index] = now[last]; });
        if (agents.knows_index) agents.index_of_slot[slot_of(agents.id.now[index])] = index;
    }
}

void renew_id(Agents& agents, std::int64_t index) {
    const std::uint32_t slot = slot_of(agents.id.now[index]);
    agents.id.now[index] = make_id(slot, ++agents.generation[slot]);
}

std::optional<std::int64_t> find_agent(Agents& agents, AgentId id) {
    if (!agents.knows_index) {
        agents.index_of_slot.resize(agents.generation.size());
        for (std::int64_t i = 0; i < agents.count; ++i) {
            agents.index_of_slot[slot_of(agents.id.now[i])] = static_cast<std::uint32_t>(i);
        }
        agents.knows_index = true;
    }
    if (slot_of(id) >= agents.index_of_slot.size()) return std::nullopt;
    const std::int64_t index = agents.index_of_slot[slot_of(id)];  // of a free slot: whatever it was last
    if (index >= agents.count || agents.id.now[index] != id) return std::nullopt;
    return index;
}

}  // namespace horde
