"""The example's environment against PettingZoo's own tests."""

from __future__ import annotations

import random
import warnings

import pytest

pytest.importorskip("pettingzoo", reason="the extra 'test' has it")

from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

from ryugi_engine import Position
from ryugi_engine.examples.pettingzoo_env import GameEnv


@pytest.mark.parametrize("name", ["chess", "crazyhouse", "shogi", "gorogo", "marseillais"])
def test_pettingzoos_own_test_passes(name: str) -> None:
    with warnings.catch_warnings():
        # of what every classic environment does: planes are not scaled to 0..1
        warnings.simplefilter("ignore", UserWarning)
        api_test(OrderEnforcingWrapper(GameEnv(name)), num_cycles=40)


def test_seeds_change_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        seed_test(lambda: GameEnv("gorogo"), num_cycles=50)


@pytest.mark.parametrize("name", ["3check", "gorogo"])
def test_a_game_to_its_end(name: str, source: random.Random) -> None:
    env, position = GameEnv(name, render_mode="ansi"), Position(name)
    env.reset()
    while env.agents:
        observation, reward, over, _, _ = env.last()
        assert env.render() == str(position)
        if over:
            result = {"1-0": 1, "0-1": -1}.get(position.result(), 0)
            assert reward == (result if env.agent_selection == "player_0" else -result)
            env.step(None)
            continue
        assert env.agent_selection == f"player_{1 - position.turn}"
        texts = position.legal_moves.uci()
        actions = [position.game.action(text) for text in texts]
        assert observation["action_mask"].nonzero()[0].tolist() == sorted(actions)
        chosen = source.randrange(len(texts))
        env.step(actions[chosen])
        position.push(texts[chosen])
    assert position.is_game_over()


def test_an_illegal_action_loses() -> None:
    env = TerminateIllegalWrapper(GameEnv("chess"), illegal_reward=-1)
    env.reset()
    env.step(0)
    assert env.terminations["player_0"]
    assert env.rewards["player_0"] == -1
