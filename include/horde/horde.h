/// All of horde.
#pragma once

#include "horde/agents.h"
#include "horde/error.h"
#include "horde/field.h"
#include "horde/files.h"
#include "horde/metrics.h"
#include "horde/neighbours.h"
#include "horde/render.h"
#include "horde/scene.h"
#include "horde/trace.h"
#include "horde/vec.h"
#include "horde/world.h"
