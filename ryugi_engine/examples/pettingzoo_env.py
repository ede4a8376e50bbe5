"""Any game as an environment of PettingZoo's classic interface (AEC), on top of ``Batch``."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ryugi_engine import Batch


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo's types are not read
    """A game for two agents; its observations have planes and a mask of legal actions."""

    metadata: ClassVar = {"name": "ryugi_engine_v0", "render_modes": ["ansi"]}

    def __init__(self, game: str = "chess", render_mode: str | None = None) -> None:
        super().__init__()
        self._batch, self.render_mode = Batch(game, 1), render_mode
        self.possible_agents = ["player_0", "player_1"]
        shape, size = self._batch.planes().shape[1:], self._batch.game.action_size
        seen = {"observation": spaces.Box(0, 255, shape, np.uint8)}
        seen["action_mask"] = spaces.Box(0, 1, (size,), np.int8)
        self.observation_spaces = dict.fromkeys(self.possible_agents, spaces.Dict(seen))
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(size))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._batch.reset()
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def _to_move(self) -> str:
        return self.possible_agents[0 if self._batch.turns()[0] else 1]

    def observe(self, agent: str) -> dict[str, Any]:
        mask = self._batch.legal_mask()[0] & (agent == self._to_move())
        return {"observation": self._batch.planes()[0], "action_mask": mask.astype(np.int8)}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0
        self._batch.push(np.array([action]))
        if self._batch.over()[0]:
            result = int(self._batch.results()[0])
            self.rewards = dict(zip(self.possible_agents, (result, -result), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._to_move()
        self._accumulate_rewards()

    def render(self) -> str | None:
        return str(self._batch[0]) if self.render_mode == "ansi" else None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]
