/// Files in and out. Every reader throws Error naming the file, and the line where there is one; every writer
/// writes to a temporary name beside its target and renames it on `close`, so that no half-written file is
/// seen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "horde/agents.h"
#include "horde/field.h"
#include "horde/scene.h"
#include "horde/trace.h"

namespace horde {

/// Reads a scene (TOML). Unknown keys are errors that name the nearest known one. Nothing but keys, types and
/// ranges is checked here; World checks the rest.
Scene load_scene(const std::string& path);

/// The same from text; `name` stands for the file in errors.
Scene parse_scene(const std::string& text, const std::string& name);

/// The scene as the text of a file, every key written out: parse_scene reads an equal scene from it, but for
/// name, folder, places and what is given (Scene::given_map). Throws Error for a seed beyond 2^63 - 1, and does
/// not look whether all else is in the ranges of files.
std::string write_scene(const Scene& scene);

/// A commented scene to start from: every table and key with its default and meaning.
std::string scene_template();

/// docs/scenes.md: every table and key with type, unit, default and meaning.
std::string scene_reference();

/// Reads a MovingAI .map (https://movingai.com/benchmarks/formats.html): '.', 'G' and 'S' are free (cost 1);
/// '@', 'O', 'T' and 'W' are walls. CRLF and blank last lines are fine.
Map load_map(const std::string& path);

/// One line of a MovingAI .scen file.
struct ScenLine {
    int bucket = 0;
    std::string map;
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    Cell start;
    Cell goal;
    double length = 0.0;    ///< of the shortest path, diagonal steps sqrt 2, no corner cut
    std::int64_t line = 0;  ///< in the file, from 1; 0 if it comes from none
};

/// Reads the problems of a scenario file of version 1. Names may contain spaces; CRLF and blank lines are
/// fine. Throws Error with file and line for missing fields, sides beyond 1 to kMaxMapSide and cells outside
/// their map.
std::vector<ScenLine> load_scen(const std::string& path);

/// The map at `columns` x `rows`, each a whole multiple of its own side: every cell becomes a block of cells,
/// and the cell size stays. Throws Error for other sizes.
Map scale_map(const Map& map, std::int32_t columns, std::int32_t rows);

/// Outcome of holding fields against the lengths of a .scen file.
struct ScenReport {
    std::int64_t lines = 0;
    std::int64_t mismatches = 0;  ///< lines off by more than 0.006 + 1e-5 length, or without a way
    double worst_error = 0.0;     ///< in cells; infinite if a line has no way, or ends in a wall
    std::vector<std::string> first_mismatches;  ///< at most 10, as text
};

/// Looks up every `every`-th line, from the first, in the field of its goal; one field for each distinct
/// goal. Every free cell counts as cost 1. Throws Error if a line is for another map size (see scale_map) or
/// `every` is less than 1.
ScenReport check_scen(const Map& map, std::span<const ScenLine> lines, std::int64_t every = 1);

/// One command of a dynamic scenario: a patch laid over the map, or a question for a length.
struct DynamicCommand {
    int bucket = 0;
    std::int32_t patch = -1;  ///< number of the patch, -1 for a question
    Cell at;                  ///< of the patch's top left cell
    ScenLine query;           ///< for a question; its `map` is empty
    std::int64_t line = 0;    ///< in the file, from 1

    bool is_query() const { return patch < 0; }
};

/// A scenario file of version 2: a map that begins without walls, and commands in order.
struct DynamicScen {
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    std::vector<DynamicCommand> commands;
};

/// Reads a .patch file of the dynamic track of GPPC 2024 (https://github.com/gppc-dev): small maps, whose
/// cells replace those that they are laid over, free ones too. Throws Error with file and line.
std::vector<Map> load_patches(const std::string& path);

/// Reads a scenario file of version 2. Throws Error with file and line for fields missing or out of range
/// and cells outside the map.
DynamicScen load_dynamic_scen(const std::string& path);

/// Outcome of replaying a dynamic scenario; `lines` are its questions.
struct DynamicReport : ScenReport {
    std::int64_t patches = 0;            ///< laid
    std::int64_t goals = 0;              ///< whose fields were kept alive
    std::int64_t repairs = 0;            ///< of their fields, each after a group of patches
    std::int64_t repair_mismatches = 0;  ///< repaired fields that differ from one built anew in any bit
    std::int64_t repairs_given_up = 0;   ///< because building anew is cheaper, as was then done
    double repair_us = 0.0;              ///< microseconds for all repairs, those given up too
    double full_us = 0.0;                ///< and for building the same fields anew
};

/// Replays the commands: every question is looked up as check_scen does, and the fields of the first `goals`
/// different goals (0 to 1000) are kept alive, repaired after each group of patches and compared with fields
/// built anew, bit for bit. Throws Error, naming the line, for a patch that does not exist or lies across
/// the edge.
DynamicReport check_dynamic_scen(std::span<const Map> patches, const DynamicScen& scen, int goals = 16);

/// What a trajectory file says about itself.
struct TrajectoryInfo {
    int dim = 2;
    double fps = 0.0;  ///< written frames a second
    double dt = 0.0;   ///< seconds a simulated frame
    std::uint64_t seed = 0;
    std::string scene;  ///< its name
    /// Stored in .h5 as it is at first; in .sqlite its free cells, as they are at each `write`. Borrowed
    /// until `close`.
    const Map* map = nullptr;
    /// Of the world: the cell of an .xyz and, without a map, the area of a .sqlite. Without them the map is,
    /// or each frame's extent.
    std::optional<Bounds> bounds = {};
    bool periodic = false;  ///< the world repeats beyond its bounds
};

/// A trajectory being written, one snapshot at a time. Destroyed without `close` it leaves nothing behind.
class TrajectoryWriter {
  public:
    virtual ~TrajectoryWriter() = default;
    virtual void write(const Snapshot& snapshot) = 0;
    virtual void close() = 0;
};

/// Opens a trajectory by its ending: .h5 (HDF5, docs/guide.md has the layout), .txt (PedPy: `# framerate: F`,
/// then id, frame, x, y in metres, and z in 3D), .csv (`frame,id,x,y,vx,vy`, or with z and vz), .xyz
/// (extended XYZ: id, pos and velo of 3 components, and in the comment of each frame Lattice, Origin, pbc,
/// Time and the keys frame, fps, dim and unit), .sqlite (JuPedSim, docs/guide.md has the layout; frames are
/// counted as written, as in .txt; 2D alone). Text has the shortest decimals that read back exactly. Throws
/// Error for another ending or a place that cannot be written.
std::unique_ptr<TrajectoryWriter> open_trajectory(const std::string& path, const TrajectoryInfo& info);

/// The first frame of a .csv, .txt, .h5, .xyz or .sqlite file: ids, positions, and velocities (0 where the
/// file has none).
Snapshot load_start(const std::string& path);

/// How to read a trajectory: what a file does not say of itself, or what to take instead of what it says.
struct ReadOptions {
    std::optional<double> fps = {};       ///< frames a second, as the file counts frames
    std::optional<double> unit = {};      ///< metres in one unit of the file, in its velocities too
    std::optional<int> dim = {};          ///< 2 leaves out z
    std::optional<Bounds> periodic = {};  ///< metres; velocities from differences then take the nearest image
};

/// What a trajectory is read as.
struct TrajectoryFacts {
    int dim = 2;
    double fps = 0.0;                ///< 0: nobody says, and nothing needs it; times are 0 too
    double unit = 1.0;               ///< metres in one unit of the file
    bool unit_assumed = false;       ///< a .txt with a frame rate that names no unit: metres
    bool heights_left_out = false;   ///< a .txt with a z that never changes for any agent: read as 2D
    bool velocities_in_file = true;  ///< false: they are differences of positions
};

/// A frame of a trajectory.
struct TrajectoryFrame {
    Snapshot snapshot;  ///< metres and seconds; goal, type and state only from .h5
    /// For each agent, 0: its velocity is unknown and given as 0. Empty: all are known.
    std::vector<std::uint8_t> velocity_known;
};

/// A trajectory being read, one frame at a time in ascending order of frames (.h5 and .xyz: of the file).
class TrajectoryReader {
  public:
    virtual ~TrajectoryReader() = default;
    virtual const TrajectoryFacts& facts() const = 0;
    /// The next frame into `out`, whose memory is used again; false at the end. Throws Error naming file and
    /// line.
    virtual bool next(TrajectoryFrame& out) = 0;
};

/// Opens a .csv, .txt, .h5, .xyz or .sqlite file, ours or of others: .csv with columns named frame, id, x, y
/// and perhaps z, vx, vy, vz, in any case and with or without `_`; .txt of PedPy and JuPedSim; .xyz with id
/// and pos among its Properties; .sqlite of JuPedSim, versions 1 to 3 of its format, of which nothing but
/// tables is read, no value above 1 MB and no more rows than its size has room for; .h5 with chunks of at
/// most 64 MB.
///
/// Where the file has no velocities they are differences of the positions of one id: to its row in the frame
/// before, or at an id's first row, and the first after a gap, to the one in the frame after. Rows further
/// apart than the file's usual step (the most frequent distance between its frames) have a gap between them,
/// which no difference spans; an agent without such a row has no known velocity. Only frames next to each
/// other are held in memory, unless the rows of a .csv or .txt are not in the order of frames.
///
/// Throws Error, naming the option, if the file has no velocities and nobody gives a frame rate, or if nobody
/// gives a unit: it is known for .h5, .sqlite, .xyz with `unit`, .csv with our names, and .txt that names one
/// or has a frame rate.
std::unique_ptr<TrajectoryReader> read_trajectory(const std::string& path, const ReadOptions& options = {});

/// An agent that died in the run.
struct PictureDeath {
    AgentId id = 0;
    Vec3 place;  ///< m, world coordinates
};

/// What a picture tells besides its frame. All of it may be left out.
struct PictureStory {
    std::vector<std::string> behaviours;  ///< names by number, for the legend
    std::vector<std::string> types;       ///< likewise
    std::vector<double> sizes;            ///< of the marks of a type, by number; 1 is usual
    /// m, of a world without a map that repeats: all of it is shown, and moved so that the crowd is in the
    /// middle.
    std::optional<Bounds> bounds;
    std::vector<PictureDeath> deaths;  ///< small red crosses, where nobody lies any more
    std::vector<Snapshot> before;      ///< frames of the run, the oldest first: the ways that agents trail
};

/// What a scene says of itself: names of its behaviours and, after their rules, of its types; sizes by the
/// radius of their bodies; and the bounds of a world that repeats or wraps.
PictureStory picture_story(const Scene& scene);

/// Adds a frame to `before` and takes out those that are older than `seconds` then. Of more than 5,000 agents
/// only those of rare types are kept, to which fewer than one in twenty of the living belong.
void add_to_story(PictureStory& story, const Snapshot& snapshot, double seconds);

/// A picture of a frame as PNG: map by cost, goals, and agents coloured by speed, goal, type or behaviour,
/// the dead as grey crosses. Rare types are drawn last and larger; in 3D one looks from above, and what is
/// low is dim. Without a map or bounds the agents' own extent is drawn. Throws Error for a place that cannot
/// be written.
void write_picture(const std::string& path, const Map* map, std::span<const Field* const> fields,
                   const Snapshot& snapshot, const SceneView& view, const PictureStory& story = {});

/// A picture of a field as PNG: integration values as colours, directions as strokes, walls, goals.
void write_field_picture(const std::string& path, const Map& map, const Field& field, const SceneView& view);

/// What `World::trace` returns as JSON in the trace event format, which Perfetto and chrome://tracing open: a
/// track for each thread, a slice for each stage and each of its blocks; `dropped` (World::trace_dropped)
/// goes into otherData.slices_dropped. Throws Error for a place that cannot be written.
void write_trace(const std::string& path, std::span<const TraceSlice> slices, std::int64_t dropped = 0);

}  // namespace horde
